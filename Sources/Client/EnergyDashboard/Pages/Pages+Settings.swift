internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

extension Pages {
    func settings(_ request: PageRequest) async -> Reply { await settings(request, message: nil) }

    /// - Parameters:
    ///   - message: what was just refused.
    ///   - test: what a source just answered.
    func settings(_ request: PageRequest, message: String?, test: SourceTest? = nil) async -> Reply {
        await page(.settings, request, isLive: false) { context in
            let venue = context.venue.id
            async let plans = attempt { () async throws(EnergyError) in try await reader.ratePlans() }
            async let devices = attempt { () async throws(EnergyError) in try await reader.devices(context.venue).value
            }
            async let limits = attempt { () async throws(EnergyError) in try await reader.limits(context.venue).value }
            async let events = attempt { () async throws(EnergyError) in
                try await reader.call(.guidance, Methods.listDemandResponse, DemandResponseFilter(venueID: venue))
                    .events
            }
            async let sources = attempt { () async throws(EnergyError) in
                try await reader.call(.guidance, Methods.listSources, Empty()).sources
            }
            async let guidance = attempt { () async throws(EnergyError) in try await reader.rights(at: .guidance) }
            async let schedule = attempt { () async throws(EnergyError) in try await reader.rights(at: .schedule) }
            var content = SettingsPage.Content()
            content.test = test
            content.refusals = Refusals([message].compactMap(\.self))
            content.ratePlans = await content.refusals.keep(plans, in: context)
            content.devices = await content.refusals.keep(devices, in: context)
            content.limits = await content.refusals.keep(limits, in: context)
            content.events = await content.refusals.keep(events, in: context)
            content.sources = await content.refusals.keep(sources, in: context)
            content.guidanceRights = await content.refusals.keep(guidance, in: context)
            content.scheduleRights = await content.refusals.keep(schedule, in: context)
            content.clients =
                content.refusals.keep(await attempt { () throws(EnergyError) in try clients() }, in: context) ?? nil
            return SettingsPage(context: context, content: content).html()
        }
    }

    /// A form of the settings: shown, or sent; once it is saved it leads back to the settings.
    func settingsForm(
        _ request: PageRequest, _ make: (PageContext) async throws(EnergyError) -> SettingsForm
    ) async -> Reply {
        var status = 200
        var address = "/settings"
        var title: String?
        var reply = await page(.settings, request, title: title, isLive: false, hasForm: true) {
            (context) async throws(EnergyError) in
            address = context.address("/settings", [("done", "saved")])
            var form = try await make(context)
            title = form.title
            status = await form.take(request)
            return form.html(context.language, venue: context.venue, back: context.address("/settings"))
        }
        if status == 303 { return .seeOther(address) }
        if reply.status == 200 { reply.status = status }
        return reply
    }

    /// Does one thing without a form, and comes back with what was done, or why it was not.
    ///
    /// - Parameter keepsVenue: false where the venue that was shown may be no more.
    func settingsAction(
        _ request: PageRequest, done: String, keepsVenue: Bool = true,
        _ body: (PageContext) async throws(EnergyError) -> Void
    ) async -> Reply {
        do throws(EnergyError) {
            guard let context = try await context(request) else { return notFound(request) }
            try await body(context)
            let query = [("done", done)]
            return .seeOther(
                keepsVenue ? context.address("/settings", query) : QueryText.address("/settings", query))
        } catch {
            var reply = await settings(request, message: request.language.refusal(error))
            if reply.status == 200 { reply.status = error.httpStatus }
            return reply
        }
    }
}

extension HomeReader {
    /// What this process may do at a service.
    func rights(at service: ServiceKind) async throws(EnergyError) -> Set<Permission> {
        try await call(service, Methods.describe, Empty()).permissions
    }
}
