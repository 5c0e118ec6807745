internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

extension API {
    /// What a device is to have done by when, and when it runs for it.
    func plan(_ request: PageRequest) async -> Reply {
        await answer { () async throws(EnergyError) in
            let (context, device) = try await device(request)
            let schedules = try await pages.reader.call(
                .schedule, Methods.listSchedules,
                ScheduleFilter(venueID: context.venue.id, deviceID: device.device.id)
            ).schedules
            return PlanDocument(schedules.first, in: context.venue.timeZone)
        }
    }

    func addGoal(_ request: PageRequest) async -> Reply {
        await answer(status: 201) { () async throws(EnergyError) in
            let (context, draft) = try await draft(request)
            return PlanDocument(try await send(draft, Methods.putGoal, context), in: context.venue.timeZone)
        }
    }

    func previewGoal(_ request: PageRequest) async -> Reply {
        await answer { () async throws(EnergyError) in
            let (context, draft) = try await draft(request)
            return PreviewDocument(try await send(draft, Methods.previewGoal, context), in: context.venue.timeZone)
        }
    }

    func removeGoal(_ request: PageRequest) async -> Reply {
        await done { () async throws(EnergyError) in
            let (context, device) = try await device(request)
            let id = try id("goal", request)
            _ = try await pages.reader.call(
                .schedule, Methods.deleteGoal,
                DeviceReference(venueID: context.venue.id, deviceID: device.device.id, goalID: id))
        }
    }

    func override(_ request: PageRequest) async -> Reply {
        await answer { () async throws(EnergyError) in
            let (context, device) = try await device(request)
            let wish: OverrideBody = try request.json()
            let schedule = try await pages.reader.call(
                .schedule, Methods.override,
                try wish.request(venueID: context.venue.id, deviceID: device.device.id))
            return PlanDocument(schedule, in: context.venue.timeZone)
        }
    }

    // MARK: Parts

    private func draft(_ request: PageRequest) async throws(EnergyError) -> (PageContext, GoalDraft) {
        let (context, device) = try await device(request)
        let goal: GoalBody = try request.json()
        return (
            context, try goal.draft(venueID: context.venue.id, deviceID: device.device.id, now: context.now)
        )
    }

    /// - Throws: the scheduler's refusal, in the words of the body that the draft was made of.
    private func send<Answer>(
        _ draft: GoalDraft, _ method: UnaryMethod<GoalDraft, Answer>, _ context: PageContext
    ) async throws(EnergyError) -> Answer {
        do throws(EnergyError) { return try await pages.reader.call(.schedule, method, draft) } catch {
            guard !error.violations.isEmpty else { throw error }
            let violations = error.violations.map { $0.ofGoalBody(in: context.venue.timeZone) }
            throw EnergyError(
                error.code, violations.map(\.description).joined(separator: "; "), violations: violations)
        }
    }

    /// The venue and the device that the path names.
    private func device(_ request: PageRequest) async throws(EnergyError) -> (PageContext, ManagedDevice) {
        let context = try await context(request)
        let id = (request.parameters["device"] ?? "").removingPercentEncoding ?? ""
        // Asked for anew: what is remembered may no longer be there.
        let devices = try await pages.reader.call(
            .schedule, Methods.listDevices, VenueFilter(venueID: context.venue.id)
        ).devices
        guard let device = devices.first(where: { $0.device.id == id }) else {
            throw EnergyError(.notFound, "no device of the venue has the id '\(id.prefix(64))'")
        }
        return (context, device)
    }
}

extension RuleViolation {
    /// By the names of ``GoalBody``; times as it has them.
    fileprivate func ofGoalBody(in zone: TimeZone) -> RuleViolation {
        let name = field.hasPrefix("goal.") ? String(field.dropFirst("goal.".count)) : field
        guard name.hasSuffix("_unix_ms"), let time = Int64(value) else {
            return RuleViolation(field: name, rule: rule, value: value)
        }
        return RuleViolation(
            field: String(name.dropLast("_unix_ms".count)), rule: rule,
            value: Timestamp(unixMilliseconds: time).iso8601(in: zone))
    }
}
