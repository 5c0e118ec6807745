internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

/// Looks at one service: its addresses, its health, its clock, its version, and what this client may do there.
struct ServiceExamination {
    let context: CommandContext
    let service: ServiceKind
    let hasKeys: Bool
    /// This client's clock is moved by so much, as it was told.
    let clockOffset: Int64

    /// Clocks that are kept by NTP are closer.
    private static let clockWarningMilliseconds: Int64 = 2_000

    private var subject: String { service.executable }

    struct Result {
        var findings: [Finding]
        /// Answers at one of its addresses at least.
        var isAnswering: Bool
    }

    func examine() async -> Result {
        let replicas = await context.found(context.endpoints[service]).replicas
        return await withTaskGroup(of: (Int, Result).self) { group in
            for (index, replica) in replicas.enumerated() { group.addTask { (index, await examine(replica)) } }
            let results = await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
            return Result(
                findings: results.flatMap(\.findings), isAnswering: results.contains { $0.isAnswering })
        }
    }

    private func examine(_ replica: Endpoint) async -> Result {
        let (requests, publications) = (replica.requestAddresses[0], replica.publishAddresses[0])
        async let publicationState = context.addressState(service, publications, .publications)
        let requestState = await context.addressState(service, requests, .requests)
        var findings = [requestState.finding(service, requests, .requests, hasKeys: hasKeys)]
        findings.append(finding(of: await publicationState, at: publications, requestState))
        guard requestState == .open else {
            return Result(findings: findings, isAnswering: false)
        }
        let connection: ServiceConnection
        do throws(CommandFailure) { connection = try context.connection(service, to: replica) } catch {
            findings.append(.failure(subject, "health", error.message, "Look at the endpoints."))
            return Result(findings: findings, isAnswering: false)
        }
        async let description = try? connection.call(Methods.describe, Empty(), timeout: context.timeout)
        let health = await health(connection)
        guard health.isAnswering, let description = await description else {
            return Result(findings: findings + health.findings, isAnswering: health.isAnswering)
        }
        if let other = other(description) {
            findings[0] = misplaced(other, at: requests)
            return Result(findings: findings, isAnswering: false)
        }
        findings += health.findings + [version(description)]
        return Result(findings: findings, isAnswering: health.isAnswering)
    }

    /// Only who may see every venue gets publications where keys are demanded; others follow by request.
    private func finding(of state: AddressState, at address: String, _ requests: AddressState) -> Finding {
        guard state == .notAdmitted, requests == .open else {
            let finding = state.finding(service, address, .publications, hasKeys: hasKeys)
            // What mends the one mends the other.
            return state == requests ? finding.withoutRemedy : finding
        }
        return .ok(
            subject, AddressUse.publications.rawValue,
            "\(address) does not take this key, which may not see everything there: changes come by request instead")
    }

    private func health(_ connection: ServiceConnection) async -> Result {
        let asked = context.wallClock.now
        let reply: HealthCheckReply
        do throws(EnergyError) {
            reply = try await connection.call(Methods.checkHealth, HealthCheckRequest(), timeout: context.timeout)
        } catch {
            let remedy =
                "It takes connections and does not answer: it may hang, or be overloaded. \(ServiceRemedy.log(service))"
            return Result(
                findings: [.failure(subject, "health", TerminalText.safe(error.message), remedy)], isAnswering: false)
        }
        let answered = context.wallClock.now
        let reason = TerminalText.safe(reply.reason)
        let finding: Finding =
            switch (reply.status, reason.isEmpty) {
            case (.serving, true): .ok(subject, "health", "serves")
            case (.serving, false):
                .warning(subject, "health", "serves, but: \(reason)", ServiceRemedy.mend(service, reason))
            default:
                .failure(
                    subject, "health", reason.isEmpty ? "does not serve" : "does not serve: \(reason)",
                    ServiceRemedy.mend(service, reason))
            }
        return Result(findings: [finding, clock(reply.time, asked, answered)].compactMap(\.self), isAnswering: true)
    }

    /// In its largest units, rounded: two hours less the time of an answer are two hours.
    private static func rounded(_ milliseconds: Int64) -> String {
        let unit: Int64 = milliseconds < 60_000 ? 1_000 : milliseconds < 86_400_000 ? 60_000 : 3_600_000
        return Quantities.length(milliseconds: max(1_000, (milliseconds + unit / 2) / unit * unit))
    }

    /// - Returns: `nil` for a service that does not tell the time.
    private func clock(_ time: Timestamp?, _ asked: Timestamp, _ answered: Timestamp) -> Finding? {
        guard let time else { return nil }
        let journey = max(0, answered.milliseconds(since: asked))
        let ahead = time.milliseconds(since: asked) - journey / 2
        let certain = abs(ahead) - journey / 2
        // That it was moved is told once, where it was said.
        if clockOffset != 0, abs(ahead + clockOffset) - journey / 2 <= Self.clockWarningMilliseconds {
            return .skipped(
                subject, "clock", "agrees with this machine's as it is without \(CommandContext.clockOffsetKey)")
        }
        guard certain > Self.clockWarningMilliseconds else {
            return .ok(subject, "clock", "agrees with this machine's, to \(max(1, abs(ahead) + journey / 2)) ms")
        }
        let found =
            "is \(Self.rounded(abs(ahead))) \(ahead > 0 ? "ahead of" : "behind") this machine's"
        let remedy =
            "Keep both clocks by NTP: timedatectl says whether one is. Who moved one with clock.offset sets "
            + "\(CommandContext.clockOffsetKey) for energyctl likewise."
        // Beyond it, events of the one are refused by the other.
        guard certain > EventRules().clockAllowanceMilliseconds else {
            return .warning(subject, "clock", found, remedy)
        }
        return .failure(subject, "clock", found, remedy)
    }

    /// - Returns: which other service it is, by what it can be asked; `nil` where it is this one, or does not tell.
    private func other(_ description: DescribeReply) -> ServiceKind? {
        func answers(_ service: ServiceKind) -> Bool { description.methods.contains(service.typicalMethod) }
        return answers(service) ? nil : ServiceKind.allCases.first(where: answers)
    }

    private func misplaced(_ other: ServiceKind, at address: String) -> Finding {
        .failure(
            subject, AddressUse.requests.rawValue, "\(address): \(other.executable) answers there",
            "In the endpoints, say at '\(service.rawValue)=' where \(service.executable) is, and at '\(other.rawValue)=' "
                + "where \(other.executable) is.")
    }

    private func version(_ description: DescribeReply) -> Finding {
        let (theirs, ours) = (TerminalText.safe(description.version), SoftwareVersion.current)
        guard theirs != ours else { return .ok(subject, "version", theirs) }
        return .warning(
            subject, "version", "\(theirs), and energyctl is \(ours)",
            "Install the newer one for both, then start \(service.executable) again.")
    }
}

extension ServiceKind {
    /// That no other service has.
    fileprivate var typicalMethod: String {
        switch self {
        case .guidance: Methods.getGuidance.name
        case .events: Methods.submitEvents.name
        case .insights: Methods.queryInsights.name
        case .schedule: Methods.listSchedules.name
        }
    }
}
