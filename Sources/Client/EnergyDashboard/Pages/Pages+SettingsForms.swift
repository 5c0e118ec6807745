internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

// The forms of the settings, each shown and sent at one address.
extension Pages {
    // MARK: Places

    func venueForm(_ request: PageRequest) async -> Reply {
        let isSent = request.method == "POST"
        return await settingsForm(request) { (context) async throws(EnergyError) in
            let (known, isGone) = try edited(request, among: context.venues, context.language) {
                $0.id == UUID(uuidString: $1)
            }
            let regions = try await reader.regions().names
            let plans = try await reader.ratePlans()
            let input = isSent ? VenueInput(request) : known.map { VenueInput($0) } ?? VenueInput()
            var form = SettingsForm(
                title: context.language(known == nil ? .venueAdd : .venueForm), action: "/settings/venue")
            (form.names, form.isGone) = (VenueInput.names, isGone)
            form.fields = { problems in
                (known.map { Form.hidden("edit", $0.id.uuidString.lowercased()) } ?? HTML())
                    + input.nameField(context.language, problems)
                    + input.regionField(context.language, regions: regions, problems)
                    + input.zoneField(context.language, isProposed: known == nil && !isSent, problems)
                    + input.contract(context.language, plans: plans, problems)
            }
            if let known {
                form.removal = SettingsForm.Removal(
                    action: "/settings/venue/remove", field: ("edit", known.id.uuidString.lowercased()),
                    word: .venueRemove, remark: .venueRemoveHint)
            }
            guard isSent else { return form }
            let (draft, problems) = input.draft(
                replacing: known, among: context.venues, regions: regions, context.language)
            form.problems = problems
            guard let draft else { return form }
            form.save = { () async throws(EnergyError) in
                _ = try await reader.call(.guidance, Methods.putVenue, draft)
            }
            return form
        }
    }

    /// What a form changes, `nil` for a form of something new, and whether somebody has removed it since it was shown.
    ///
    /// - Throws: ``EnergyError`` `.notFound` for what is not there to be shown.
    private func edited<Item>(
        _ request: PageRequest, among items: [Item], _ language: Language, isNamed: (Item, String) -> Bool
    ) throws(EnergyError) -> (known: Item?, isGone: Bool) {
        let isSent = request.method == "POST"
        let id = isSent ? request.field("edit") : request["edit"] ?? ""
        let known = items.first { isNamed($0, id) }
        let isGone = known == nil && !id.isEmpty
        guard isSent || !isGone else { throw EnergyError(.notFound, language(.settingGone)) }
        return (known, isGone)
    }

    func removeVenue(_ request: PageRequest) async -> Reply {
        await settingsAction(request, done: "venueRemoved", keepsVenue: false) { (_) async throws(EnergyError) in
            guard let id = UUID(uuidString: request.field("edit")) else {
                throw EnergyError(.notFound, "there is no such venue")
            }
            _ = try await reader.call(.guidance, Methods.removeVenue, VenueRemoval(id: id))
        }
    }

    // MARK: Contracts

    func ratePlanForm(_ request: PageRequest) async -> Reply {
        let isSent = request.method == "POST"
        return await settingsForm(request) { (context) async throws(EnergyError) in
            let (language, venue) = (context.language, context.venue)
            let plans = try await reader.ratePlans()
            let markets = try await reader.regions().prices()
            let (known, isGone) = try edited(request, among: plans, language) { $0.id == $1 }
            var input = RatePlanInput(request)
            if !isSent {
                input = known.map { RatePlanInput($0) } ?? RatePlanInput()
                if input.kind == .none { input.kind = .document }
            }
            let isBoughtUnder = known.map { $0.id == venue.ratePlanID } ?? false
            let isAssigned = isSent ? request.field("assign") == "yes" : known == nil
            let outcome =
                isSent
                ? input.read(
                    id: known?.id, taken: plans.map(\.id), timeZone: known?.timeZone ?? venue.timeZone,
                    markets: markets, language)
                : RatePlanInput.Outcome()
            var form = SettingsForm(
                title: known.map { language(.planReplaceTitle, $0.name) } ?? language(.planForm),
                action: "/settings/rate-plan")
            (form.problems, form.remarks, form.names) = (outcome.problems, outcome.remarks, RatePlanInput.names)
            form.isGone = isGone
            form.fields = { [input] problems in
                (known.map { Form.hidden("edit", $0.id) } ?? HTML())
                    + input.fields(
                        context.formats, kinds: [.market, .flat, .hours, .document], markets: markets, outcome, problems
                    )
                    + (isBoughtUnder
                        ? HTML() : Form.check("assign", language(.planAssign, venue.name), isOn: isAssigned))
            }
            if let known, !context.venues.contains(where: { $0.ratePlanID == known.id }) {
                form.removal = SettingsForm.Removal(
                    action: "/settings/rate-plan/remove", field: ("edit", known.id), word: .planRemove,
                    remark: .planRemoveHint)
            }
            guard let plan = outcome.plan else { return form }
            form.save = { () async throws(EnergyError) in
                let kept = try await reader.call(.guidance, Methods.putRatePlan, plan)
                guard isAssigned, venue.ratePlanID != kept.id else { return }
                var draft = VenueDraft(venue)
                draft.ratePlanID = kept.id
                _ = try await reader.call(.guidance, Methods.putVenue, draft)
            }
            return form
        }
    }

    func removeRatePlan(_ request: PageRequest) async -> Reply {
        await settingsAction(request, done: "planRemoved") { (_) async throws(EnergyError) in
            let removal = RatePlanRemoval(id: request.field("edit"))
            _ = try await reader.call(.guidance, Methods.removeRatePlan, removal)
        }
    }

    /// What any contract charges, also one that no home has.
    func ratePlanPrices(_ request: PageRequest) async -> Reply {
        await page(.settings, request, isLive: false) { (context) async throws(EnergyError) in
            guard let plan = try await reader.ratePlans().first(where: { $0.id == request["plan"] }) else {
                throw EnergyError(.notFound, "there is no such rate plan")
            }
            return HTML.element("h1") { plan.name } + RateHeatMap(plan: plan, formats: context.formats).html()
                + .element("div", [.class("actions")]) {
                    HTML.element("a", [.class("button"), .href(context.address("/settings") + "#rate-plans")]) {
                        context.language(.pageSettings)
                    }
                }
        }
    }

    // MARK: Limits

    func limitsForm(_ request: PageRequest) async -> Reply {
        let isSent = request.method == "POST"
        return await settingsForm(request) { (context) async throws(EnergyError) in
            let known = try await reader.call(.schedule, Methods.getLimits, PlannedVenue(venueID: context.venue.id))
            let input = isSent ? LimitsInput(request) : LimitsInput(known)
            var form = SettingsForm(title: context.language(.limitsForm), action: "/settings/limits")
            form.names = LimitsInput.names
            form.fields = { problems in input.fields(context.language, problems) }
            guard isSent else { return form }
            let (limits, problems) = input.limits(replacing: known, context.language)
            form.problems = problems
            guard let limits else { return form }
            form.save = { () async throws(EnergyError) in
                _ = try await reader.call(.schedule, Methods.putLimits, limits)
            }
            return form
        }
    }

    // MARK: Devices

    func deviceForm(_ request: PageRequest) async -> Reply {
        let isSent = request.method == "POST"
        return await settingsForm(request) { (context) async throws(EnergyError) in
            let devices = try await reader.devices(context.venue).value
            let (known, isGone) = try edited(request, among: devices, context.language) { $0.device.id == $1 }
            let input = isSent ? DeviceInput(request) : known.map { DeviceInput($0) } ?? DeviceInput()
            var form = SettingsForm(
                title: known.map { context.language(.deviceFormOf, $0.device.name) } ?? context.language(.deviceAdd),
                action: "/settings/device")
            (form.names, form.isGone) = (DeviceInput.names, isGone)
            form.fields = { problems in
                (known.map { Form.hidden("edit", $0.device.id) } ?? HTML())
                    + input.fields(context.language, isNew: known == nil, problems)
            }
            if let known {
                form.removal = SettingsForm.Removal(
                    action: "/settings/device/remove", field: ("edit", known.device.id),
                    word: .deviceRemove, remark: .deviceRemoveHint)
            }
            guard isSent else { return form }
            let outcome = input.read(
                replacing: known, in: context.venue.id, taken: devices.map(\.device.id), context.language)
            form.problems = outcome.problems
            guard let device = outcome.device else { return form }
            form.save = { () async throws(EnergyError) in
                _ = try await reader.call(.schedule, Methods.putDevice, device)
                guard device.rules != known?.rules ?? ChargingRules() else { return }
                let rules = RulesDraft(venueID: device.venueID, deviceID: device.device.id, rules: device.rules)
                _ = try await reader.call(.schedule, Methods.putRules, rules)
            }
            return form
        }
    }

    func removeDevice(_ request: PageRequest) async -> Reply {
        await settingsAction(request, done: "deviceRemoved") { (context) async throws(EnergyError) in
            let removal = DeviceRemoval(venueID: context.venue.id, deviceID: request.field("edit"))
            _ = try await reader.call(.schedule, Methods.removeDevice, removal)
        }
    }

    // MARK: Times of less

    func eventForm(_ request: PageRequest) async -> Reply {
        let isSent = request.method == "POST"
        return await settingsForm(request) { context in
            let input =
                isSent ? EventInput(request) : EventInput(now: context.now, formats: context.formats)
            var form = SettingsForm(title: context.language(.eventAdd), action: "/settings/event")
            form.names = EventInput.names
            form.submit = .eventDeclare
            form.fields = { problems in input.fields(context.venue, context.language, problems) }
            guard isSent else { return form }
            let (event, problems) = input.draft(for: context.venue, now: context.now, formats: context.formats)
            form.problems = problems
            guard let event else { return form }
            form.save = { () async throws(EnergyError) in
                _ = try await reader.call(.guidance, Methods.putDemandResponse, event)
            }
            return form
        }
    }

    // MARK: Sources

    /// Has a source looked at now, and shows the settings with what it answered.
    func testSource(_ request: PageRequest) async -> Reply {
        let reference = SourceReference(region: request.field("region"), source: request.field("source"))
        do throws(EnergyError) {
            let test = try await reader.call(.guidance, Methods.testSource, reference)
            return await settings(request, message: nil, test: test)
        } catch {
            var reply = await settings(request, message: request.language.refusal(error))
            if reply.status == 200 { reply.status = error.httpStatus }
            return reply
        }
    }

    func cancelEvent(_ request: PageRequest) async -> Reply {
        await settingsAction(request, done: "eventCancelled") { (_) async throws(EnergyError) in
            guard let id = UUID(uuidString: request.field("event")) else {
                throw EnergyError(.notFound, "there is no such event")
            }
            _ = try await reader.call(.guidance, Methods.cancelDemandResponse, DemandResponseReference(id: id))
        }
    }
}

extension VenueDraft {
    /// The place as it is.
    init(_ venue: Venue) {
        self.init(
            id: venue.id, name: venue.name, timeZone: venue.timeZone, region: venue.region,
            ratePlanID: venue.ratePlanID, homeIDs: venue.homeIDs, priceWeight: venue.priceWeight)
    }
}
