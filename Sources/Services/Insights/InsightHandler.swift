internal import EnergyModel
public import EnergyTransport
internal import EnergyWire

/// Puts the service behind the contract's methods.
public struct InsightHandler: Sendable {
    private let service: InsightService

    public init(service: InsightService) { self.service = service }

    public func register(in methods: inout MethodTable) {
        methods.on(Methods.queryInsights) { [service] (query, _, write) async throws(EnergyError) in
            try await service.answer(query, write: write)
        }
    }
}
