internal import EnergyFeeds
internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints
internal import Synchronization

typealias ServiceClient = any RequestClient & Subscriber

/// The services of one installation, each connected when it is first asked, and one connection for the whole program.
final class EnergyServices: Sendable {
    /// For waiting.
    let clock: any Clock<Duration>
    /// When a stream of guidance no longer waits for its first value.
    let firstGuidanceDeadlines: Deadlines
    private let requestTimeout: Duration
    private let connect: @Sendable (ServiceKind) throws(EnergyError) -> ServiceClient
    private let clients = Mutex<[ServiceKind: ServiceClient]>([:])

    /// In place of what is configured; for tests.
    @TaskLocal static var override: EnergyServices?

    init(
        clock: any Clock<Duration> = ContinuousClock(), requestTimeout: Duration = .seconds(10),
        firstGuidanceTimeout: Duration = .seconds(10),
        connect: @escaping @Sendable (ServiceKind) throws(EnergyError) -> ServiceClient
    ) {
        self.clock = clock
        self.requestTimeout = requestTimeout
        firstGuidanceDeadlines = Deadlines(clock: clock, wait: firstGuidanceTimeout)
        self.connect = connect
    }

    /// Those that the present task uses.
    ///
    /// - Throws: `.serviceUnavailable` when the configuration is wrong; the diagnostics say what is.
    static func current() throws(EnergyKitError) -> EnergyServices {
        if let override { return override }
        do throws(EnergyKitConfigurationError) {
            return ServicePool.shared.services(try EnergyKitConfiguration.inUse())
        } catch {
            EnergyKitDiagnostics.report(.serviceUnavailable, error.message)
            throw .serviceUnavailable
        }
    }

    func client(_ service: ServiceKind) throws(EnergyError) -> ServiceClient {
        try clients.withLock { (clients) throws(EnergyError) in
            if let client = clients[service] { return client }
            let client = try connect(service)
            clients[service] = client
            return client
        }
    }

    func call<Request, Reply>(
        _ service: ServiceKind, _ method: UnaryMethod<Request, Reply>, _ request: Request
    ) async throws(EnergyError) -> Reply {
        try await client(service).call(method, request, timeout: requestTimeout)
    }

    /// Runs what a program asked for, and puts what the services say in EnergyKit's terms.
    ///
    /// - Throws: ``EnergyKitError``, or `CancellationError` when it is the program that gave up.
    func perform<Result: Sendable>(
        _ operation: EnergyOperation, _ body: (EnergyServices) async throws(EnergyError) -> Result
    ) async throws -> Result {
        do throws(EnergyError) { return try await body(self) } catch {
            if Task.isCancelled { throw CancellationError() }
            throw report(error, operation)
        }
    }

    func report(_ error: EnergyError, _ operation: EnergyOperation) -> EnergyKitError {
        let result = EnergyKitError(error, during: operation)
        EnergyKitDiagnostics.report(result, error.message, details: error.violations.map(\.description))
        return result
    }

    /// Whether anybody answers, whatever the answer.
    func isAnswering(_ service: ServiceKind) async -> Bool {
        guard let client = try? client(service) else { return false }
        do throws(CallFailure) {
            // An empty body asks for the health of the whole process.
            _ = try await client.call(
                Methods.checkHealth.name, [], options: CallOptions(timeout: .seconds(1), isIdempotent: true))
            return true
        } catch { return ![.unavailable, .deadlineExceeded, .cancelled].contains(error.code) }
    }
}
