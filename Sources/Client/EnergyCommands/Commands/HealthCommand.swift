internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import ServiceEndpoints

struct HealthCommand: StandingCommand {
    static let configuration = CommandConfiguration(
        commandName: "health", abstract: "Whether all services are up, and why one is not.",
        discussion: """
            The exit status is 1 unless every service is serving. A service of several replicas serves while one of \
            them does.

            EXAMPLES
              energyctl health
              energyctl health --watch
              energyctl health --timeout 1s --json | jq .serving
            """)
    @OptionGroup var list: ListOptions
    @OptionGroup var following: WatchOption
    @OptionGroup var options: GlobalOptions

    func validate() throws { try following.validate(isFile: list.csv) }

    func show(in context: CommandContext) async throws(CommandFailure) {
        let reports = await withTaskGroup(of: HealthReport.self) { group in
            for service in ServiceKind.allCases { group.addTask { await context.health(service) } }
            return await group.reduce(into: [:]) { $0[$1.service] = $1 }
        }
        let sorted = ServiceKind.allCases.compactMap { reports[$0] }
        if list.csv {
            context.output.csv(HealthDocument(sorted).services)
        } else if options.json {
            context.answer(HealthDocument(sorted))
        } else {
            HealthView.lines(sorted, context.style).forEach(context.output.line)
        }
        guard sorted.allSatisfy({ $0.state == .serving }) else { throw CommandFailure(.failure, "") }
    }

    func news(in context: CommandContext) -> [NewsSource] { ServiceKind.allCases.map(NewsSource.health) }
}

/// What one service says of itself.
struct HealthReport: Hashable, Sendable {
    enum State: String { case serving, notServing, unreachable }
    let service: ServiceKind
    let address: String
    let state: State
    let reason: String
    /// `nil` when it did not say.
    let version: String?
    /// The parts of the process by their names in the contract.
    var parts: [ServiceHealth] = []

    /// Of a replica that does not serve, while another does.
    fileprivate var sentence: String {
        switch state {
        case .unreachable: "\(address) does not answer"
        default: "\(address) does not serve\(reason.isEmpty ? "" : ": \(reason)")"
        }
    }
}

extension CommandContext {
    /// A service of several replicas is as healthy as the best of them: one is enough to serve.
    func health(_ service: ServiceKind) async -> HealthReport {
        let replicas = await found(endpoints[service]).replicas
        guard replicas.count > 1 else { return await healthReport(service) }
        let reports = await withTaskGroup(of: (Int, HealthReport).self) { group in
            for (index, replica) in replicas.enumerated() {
                group.addTask {
                    (index, await healthReport(service, of: replica, within: min(timeout, Self.replicaPatience)))
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        if let best = reports.first(where: { $0.state == .serving }) {
            let others = reports.filter { $0.state != .serving }.map(\.sentence)
            return HealthReport(
                service: service, address: endpoints[service].requestAddresses.joined(separator: ", "), state: .serving,
                reason: (others + [best.reason]).filter { !$0.isEmpty }.joined(separator: "; "), version: best.version,
                parts: best.parts)
        }
        // Whoever answers has all the time that there is.
        let first = await healthReport(service)
        guard first.state == .unreachable, let best = reports.first(where: { $0.state == .notServing }) else {
            return first
        }
        return HealthReport(
            service: service, address: first.address, state: .notServing, reason: best.reason, version: best.version,
            parts: best.parts)
    }

    /// One that is gone is not waited for while others serve.
    private static var replicaPatience: Duration { .seconds(2) }

    /// - Parameters:
    ///   - replica: `nil` for whichever of them answers.
    ///   - patience: `nil` for what is asked for.
    private func healthReport(
        _ service: ServiceKind, of replica: Endpoint? = nil, within patience: Duration? = nil
    ) async -> HealthReport {
        let timeout = patience ?? self.timeout
        let address = (replica ?? endpoints[service]).requestAddresses.joined(separator: ", ")
        func report(_ state: HealthReport.State, _ reason: String, _ version: String?, _ parts: [ServiceHealth] = [])
            -> HealthReport
        {
            HealthReport(
                service: service, address: address, state: state, reason: reason, version: version, parts: parts)
        }
        do throws(EnergyError) {
            let connection: ServiceConnection
            do throws(CommandFailure) {
                if let replica {
                    connection = try self.connection(service, to: replica)
                } else {
                    connection = try self.connection(service)
                }
            } catch {
                return report(.unreachable, error.message, nil)
            }
            let check = try await connection.call(Methods.checkHealth, HealthCheckRequest(), timeout: timeout)
            let parts = try? await connection.call(Methods.listHealth, Empty(), timeout: timeout).services
            let version = try? await connection.call(Methods.describe, Empty(), timeout: timeout).version
            let state: HealthReport.State = check.status == .serving ? .serving : .notServing
            let reasons = [check.reason] + (parts ?? []).filter { $0.status != .serving }.map(\.reason)
            return report(state, reasons.first { !$0.isEmpty } ?? "", version, parts ?? [])
        } catch { return report(.unreachable, error.message, nil) }
    }
}
