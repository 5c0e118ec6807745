internal import EnergyModel
internal import EnergyTransport
internal import Foundation
internal import KeyFiles
internal import ServiceEndpoints

/// Makes pages of what the services say.
struct Pages: Sendable {
    let reader: HomeReader
    /// Of the installation, where this process has them.
    var keys: KeyFolder?

    // MARK: Now

    func now(_ request: PageRequest) async -> Reply {
        await page(.now, request) { context in
            async let guidance = attempt { () async throws(EnergyError) in try await reader.guidance(context.venue) }
            async let devices = attempt { () async throws(EnergyError) in try await statuses(context) }
            var content = NowPage.Content()
            switch await guidance {
            case .success(let known): content.guidance = known
            case .failure(let error): content.guidanceError = error
            }
            content.devices = try? await devices.get()
            if context.venues.contains(where: DemoHome.isExample) {
                content.guidanceRights = try? await reader.rights(at: .guidance)
            }
            return NowPage(context: context, content: content).html()
        }
    }

    /// How all devices of the venue are doing.
    func statuses(_ context: PageContext) async throws(EnergyError) -> HomeReader.Known<[DeviceStatus]> {
        // At once: who hangs is waited for once.
        async let known = attempt { () async throws(EnergyError) in try await reader.devices(context.venue) }
        async let planned = attempt { () async throws(EnergyError) in try await reader.schedules(context.venue) }
        let recent = Interval(
            start: context.now.advanced(byMilliseconds: -DeviceStatus.memoryMilliseconds),
            end: context.now.advanced(byMilliseconds: .millisecondsPerHour))
        // Without them the plan is still known.
        async let heard = attempt { () async throws(EnergyError) in
            guard let recent else { return [Activity]() }
            return try await reader.activities(ActivityQuery(venueID: context.venue.id, range: recent))
        }
        let (devices, schedules, activities) = (try await known.get(), try await planned.get(), await heard)
        let statuses = DeviceStatus.all(
            devices: devices.value, schedules: schedules.value, activities: try? activities.get(),
            now: context.now)
        return HomeReader.Known(value: statuses, asOf: devices.asOf ?? schedules.asOf)
    }

    // MARK: Frame

    /// A page of the venue that was asked for.
    ///
    /// `title` and `hasForm` are asked once the content is there.
    func page(
        _ page: Page, _ request: PageRequest, title: @autoclosure () -> String? = nil, isLive: Bool = true,
        hasForm: @autoclosure () -> Bool = false,
        _ content: (PageContext) async throws(EnergyError) -> HTML
    ) async -> Reply {
        let language = request.language
        let context: PageContext
        do throws(EnergyError) {
            guard let found = try await self.context(request) else { return .seeOther("/start") }
            context = found
        } catch { return trouble(error, request) }
        do throws(EnergyError) {
            let html = try await content(context)
            let frame = PageFrame(
                title: title() ?? language(page.word), page: page, language: language, context: context,
                address: request.returnAddress, isLive: isLive && request.method == "GET",
                newsCount: request.newsCount, hasForm: hasForm())
            var reply = Reply.page(frame.html { html })
            if context.refusal != nil { reply.headers.append(RefusalCookie.spent) }
            if let header = VenueChoice.header(context, request) { reply.headers.append(header) }
            return reply
        } catch { return trouble(error, request, page: page, context) }
    }

    /// - Returns: `nil` without any venue.
    func context(_ request: PageRequest) async throws(EnergyError) -> PageContext? {
        let venues = try await reader.venues()
        let wanted = request["venue"].flatMap(UUID.init(uuidString:)) ?? UUID(uuidString: request.field("venue"))
        let last = VenueChoice.venueID(request)
        let known = [wanted, last].lazy.compactMap { id in venues.value.first { $0.id == id } }
        guard let venue = known.first ?? venues.value.first else { return nil }
        if let wanted, venue.id != wanted { throw EnergyError(.notFound, "no such venue") }
        var context = PageContext(
            language: request.language, venues: venues.value, venue: venue, now: reader.clock.now)
        let unheard = request["done"] == "started" ? await unheard(venue, request.language) : nil
        context.notices = [unheard].compactMap(\.self) + reader.presence.notices(in: request.language)
        (context.done, context.refusal) = (done(request), RefusalCookie.text(request))
        return context
    }

    /// What the form that led here did.
    private func done(_ request: PageRequest) -> String? {
        let language = request.language
        switch request["done"] {
        case "started": return language(.startDone)
        case "demo": return language(.demoDone)
        case let name?: return Self.doneWords[name].map { language(.confirmed, language($0)) }
        case nil: return nil
        }
    }

    private static let doneWords: [String: Word] = [
        "chargeNow": .chargeNow, "pause": .pause, "resume": .resume, "removed": .removeGoal, "saved": .save,
        "venueRemoved": .venueRemove, "planRemoved": .planRemove, "deviceRemoved": .deviceRemove,
        "eventCancelled": .eventCancel,
    ]

    func notFound(_ request: PageRequest) -> Reply {
        let language = request.language
        let frame = PageFrame(title: language(.notFound), page: nil, language: language, address: "/", isLive: false)
        return .page(
            frame.html {
                HTML.element("h1") { language(.notFound) }
                HTML.element("p") { language(.notFoundText) }
            }, status: 404)
    }

    /// Says what a service said. The page that was asked for is live: it mends itself when the service is back.
    func trouble(
        _ error: EnergyError, _ request: PageRequest, page: Page? = nil, _ context: PageContext? = nil
    ) -> Reply {
        let language = request.language
        let status = error.httpStatus
        let frame = PageFrame(
            title: language(.troubleTitle), page: page, language: language, context: context,
            address: request.returnAddress, isLive: request.method == "GET", newsCount: request.newsCount)
        return .page(
            frame.html {
                HTML.element("div", [.id("trouble")]) {
                    HTML.element("h1") { language(.troubleTitle) }
                    if let text = context.map({ $0.untold(error) }) ?? language.text(error) {
                        language.paragraph(text, of: error, [.class("notice")])
                    }
                    if request.isSent, error.code == .unavailable { sendAgain(request) }
                    HTML.element("p") {
                        HTML.element("a", [.href(context?.address("/") ?? "/")]) { language(.backToNow) }
                    }
                }
            }, status: status)
    }

    /// What was typed into a form, to be sent once who has to be asked is there again.
    private func sendAgain(_ request: PageRequest) -> HTML {
        .element("form", [Attribute("method", "post"), Attribute("action", request.address)]) {
            for field in request.form { Form.hidden(field.name, field.value) }
            HTML.element("p", [.class("note")]) { request.language(.typedKept) }
            HTML.element("button", [.class("primary")]) { request.language(.sendAgain) }
        }
    }
}

/// The outcome of something that may fail without the page failing.
func attempt<Value>(
    _ body: () async throws(EnergyError) -> Value
) async -> Result<Value, EnergyError> {
    do throws(EnergyError) { return .success(try await body()) } catch { return .failure(error) }
}

extension EnergyError {
    var httpStatus: Int {
        switch code {
        case .invalidInput, .outOfRange: 400
        case .notFound: 404
        case .conflict: 409
        case .denied: 403
        case .rateLimited: 429
        case .unavailable: 503
        default: 500
        }
    }

    /// Of a form that is shown again for it.
    var formStatus: Int { code == .invalidInput ? 422 : httpStatus }
}
