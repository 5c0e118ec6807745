internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

extension Pages {
    func plan(_ request: PageRequest) async -> Reply {
        await page(.plan, request) { (context) async throws(EnergyError) in
            async let guidance = attempt { () async throws(EnergyError) in try await reader.guidance(context.venue) }
            async let limits = attempt { () async throws(EnergyError) in try await reader.limits(context.venue) }
            async let rights = attempt { () async throws(EnergyError) in try await reader.rights(at: .schedule) }
            let devices = try await statuses(context)
            return PlanPage(
                context: context, devices: devices, guidance: try? await guidance.get().value,
                limits: try? await limits.get().value, rights: try? await rights.get()
            ).html()
        }
    }

    // MARK: Overrides

    func override(_ request: PageRequest) async -> Reply {
        guard let action = OverrideAction(rawValue: request.field("action")) else {
            return .refusal("action must be one of chargeNow, pause, stop, resume, skipNext", status: 400)
        }
        return await change(request, done: action.rawValue) { (venue, device) async throws(EnergyError) in
            _ = try await reader.call(
                .schedule, Methods.override, OverrideRequest(venueID: venue.id, deviceID: device, action: action))
        }
    }

    func removeGoals(_ request: PageRequest) async -> Reply {
        await change(request, done: "removed") { (venue, device) async throws(EnergyError) in
            // One of several, or all.
            let goal = UUID(uuidString: request.field("goal"))
            _ = try await reader.call(
                .schedule, Methods.deleteGoal, DeviceReference(venueID: venue.id, deviceID: device, goalID: goal))
        }
    }

    /// Changes something, and comes back to the plan with what was done, or why it was not.
    private func change(
        _ request: PageRequest, done: String,
        _ body: (Venue, _ deviceID: String) async throws(EnergyError) -> Void
    ) async -> Reply {
        var address = "/plan"
        do throws(EnergyError) {
            guard let context = try await context(request) else { return notFound(request) }
            address = context.address("/plan")
            try await body(context.venue, request.field("device"))
            return .seeOther(context.address("/plan", [("done", done)]))
        } catch {
            var reply = Reply.seeOther(address)
            reply.headers.append(RefusalCookie.header(request.language.refusal(error)))
            return reply
        }
    }

    // MARK: Goals

    func goalForm(_ request: PageRequest) async -> Reply {
        await goalPage(request, deviceID: request["device"] ?? "") { (context, status) async throws(EnergyError) in
            let changed = status.goal(request["goal"] ?? "")
            var input = GoalInput(
                changed ?? status.goal, for: status.device, now: context.now, formats: context.formats)
            input.keepsOthers = status.goals.count > 1
            return GoalFormPage(
                context: context, device: status.device, name: status.name, input: input, hasGoal: status.goal != nil,
                changed: changed)
        }
    }

    /// Tries or saves what was typed.
    func goal(_ request: PageRequest) async -> Reply {
        var saved: String?
        let reply = await goalPage(request, deviceID: request.field("device")) {
            (context, status) async throws(EnergyError) in
            var input = GoalInput(request)
            let changed = status.goal(request.field("goal"))
            if changed != nil { input.keepsOthers = true }
            let (draft, problems) = input.draft(for: status.device, now: context.now, formats: context.formats)
            var page = GoalFormPage(
                context: context, device: status.device, name: status.name, input: input,
                problems: request.isJudged ? problems : [:],
                hasGoal: status.goal != nil, changed: changed, isJudged: request.isJudged)
            let wish = request.field("do")
            guard let draft, request.isSent || wish == "preview" else { return page }
            do throws(EnergyError) {
                if wish == "save" {
                    _ = try await reader.call(.schedule, Methods.putGoal, draft)
                    // After the new one is there: what is refused leaves the old one.
                    if let changed { try await remove(changed) }
                    saved = context.address("/plan", [("done", "saved")])
                } else {
                    page.preview = try await reader.call(.schedule, Methods.previewGoal, draft)
                }
            } catch { page.refusal = error }
            return page
        }
        return saved.map(Reply.seeOther) ?? reply
    }

    private func remove(_ goal: Goal) async throws(EnergyError) {
        let reference = DeviceReference(venueID: goal.venueID, deviceID: goal.deviceID, goalID: goal.id)
        // It may be over by now.
        do throws(EnergyError) { _ = try await reader.call(.schedule, Methods.deleteGoal, reference) } catch {
            guard error.code == .notFound else { throw error }
        }
    }

    private func goalPage(
        _ request: PageRequest, deviceID: String,
        _ make: (PageContext, DeviceStatus) async throws(EnergyError) -> GoalFormPage
    ) async -> Reply {
        var code = 200
        var reply = await page(.plan, request, isLive: false, hasForm: true) { (context) async throws(EnergyError) in
            let devices = try await statuses(context).value
            guard let status = devices.first(where: { $0.device.device.id == deviceID }) else {
                throw EnergyError(.notFound, "no device has the id '\(deviceID.prefix(64))'")
            }
            var form = try await make(context, status)
            form.rights = try? await reader.rights(at: .schedule)
            code = form.refusal?.formStatus ?? (form.problems.isEmpty ? 200 : 422)
            return form.html()
        }
        if reply.status == 200 { reply.status = code }
        return reply
    }
}

extension DeviceStatus {
    /// The one that is due first; `nil` without any.
    var goal: Goal? { schedule.flatMap { $0.blocks.isEmpty ? nil : $0.goal } }

    var goals: [Goal] { schedule.flatMap { $0.blocks.isEmpty ? nil : $0.goals } ?? [] }

    /// One of several; `nil` where there is but one, which is the device's.
    func goal(_ id: String) -> Goal? { goals.count > 1 ? goals.first { $0.id == UUID(uuidString: id) } : nil }
}
