internal import EnergyTransport
internal import ServiceEndpoints

extension CommandContext {
    /// Whether anybody answers at a service's address, whatever the answer.
    func isAnswering(_ service: ServiceKind, within timeout: Duration = .milliseconds(500)) async -> Bool {
        guard let connection = try? connection(service) else { return false }
        do throws(CallFailure) {
            // An empty body asks for the health of the whole process.
            _ = try await connection.call(
                "energy.v1.Health/Check", [], options: CallOptions(timeout: timeout, isIdempotent: true))
            return true
        } catch { return ![.unavailable, .deadlineExceeded, .cancelled].contains(error.code) }
    }
}
