internal import EnergyModel
public import EnergyTransport
internal import EnergyWire

extension EventIngestor {
    /// Adds the service's methods: Events/Submit, Events/ReadLog and Events/Heads.
    public func register(in methods: inout MethodTable) {
        methods.on(Methods.submitEvents) { (batch, context) async throws(EnergyError) in
            try await self.submit(batch, principal: context.principal)
        }
        methods.on(Methods.readLog) { (position, _, write) async throws(EnergyError) in
            try await self.read(after: position, write)
        }
        methods.on(Methods.logHeads) { (_, _) async throws(EnergyError) in try await self.heads() }
    }
}
