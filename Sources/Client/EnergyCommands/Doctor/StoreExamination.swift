internal import EnergyModel
internal import EnergyWire
internal import ServiceEndpoints

/// Looks at what the services store, as far as they tell: that something can be read of each store.
struct StoreExamination {
    let context: CommandContext
    /// Those that answer.
    let answering: Set<ServiceKind>

    private static let subject = "stores"

    func findings() async -> [Finding] {
        await withTaskGroup(of: (ServiceKind, Finding?).self) { group in
            for service in answering { group.addTask { (service, await finding(service)) } }
            let findings = await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            return ServiceKind.allCases.compactMap { findings[$0] }
        }
    }

    /// - Returns: `nil` where this client may not know, or there is nothing to ask about.
    private func finding(_ service: ServiceKind) async -> Finding? {
        do throws(CommandFailure) {
            return try await content(service).map { .ok(Self.subject, service.executable, $0) }
        } catch {
            guard error.exit != .denied else { return nil }
            return .failure(Self.subject, service.executable, error.message, ServiceRemedy.log(service))
        }
    }

    private func content(_ service: ServiceKind) async throws(CommandFailure) -> String? {
        switch service {
        case .guidance:
            let plans = try await context.call(.guidance, Methods.listRatePlans, Empty()).ratePlans.count
            return "has \(Quantities.count(plans, "rate plan"))"
        case .events:
            let heads = try await context.call(.events, Methods.logHeads, Empty()).heads
            return "keeps \(Quantities.count(heads.reduce(0) { $0 + kept($1) }, "record")) of the log"
        case .insights:
            guard let venue = try? await context.venues().first else { return nil }
            return try await counted(at: venue)
        case .schedule:
            let devices = try await context.call(.schedule, Methods.listDevices, VenueFilter(venueID: nil)).devices
            return "has \(Quantities.count(devices.count, "device"))"
        }
    }

    private func counted(at venue: Venue) async throws(CommandFailure) -> String {
        let now = context.wallClock.now
        let hour = Interval(
            start: now.advanced(byMilliseconds: -.millisecondsPerHour), milliseconds: .millisecondsPerHour)
        let end = await context.logEnd(of: venue)
        let answer = try await context.insights(
            InsightQuery(venueID: venue.id, deviceID: nil, range: hour, granularity: .hourly, exactRange: true))
        switch await context.uncounted(at: venue, in: answer.applied, to: end) {
        case nil: return "has counted the log"
        case .hidden: return "answers"
        case let uncounted?: return "counts the log: \(uncounted.sentence(in: venue.timeZone, now: now))"
        }
    }

    private func kept(_ head: LogHead) -> Int {
        Int(clamping: head.sequence - min(head.sequence, head.removedSequence))
    }
}
