internal import EnergyModel
public import EnergyTransport
internal import EnergyWire

extension EventIngestor {
    /// Adds the service's methods: Events/Submit, Events/ReadLog, Events/Heads, Events/Sessions,
    /// Events/Readers, Events/RemoveReader and Events/Backup.
    ///
    /// - Parameter backups: the folder that backups are written to; `nil` for none.
    public func register(in methods: inout MethodTable, backups: String? = nil) {
        methods.onEncoded(Methods.submitEvents) { (batch, bytes, context) async throws(EnergyError) in
            try await self.submit(batch, encoded: bytes, principal: context.principal.name)
        }
        methods.on(Methods.readLog) { (position, _, write) async throws(EnergyError) in
            try await self.read(after: position, write)
        }
        if let backups {
            methods.on(Methods.backUpLog) { (_, _) async throws(EnergyError) in try await self.backUp(into: backups) }
        }
        methods.on(Methods.listSessions) { (filter, _) async throws(EnergyError) in try await self.sessions(filter) }
        methods.on(Methods.listReaders) { (_, _) async throws(EnergyError) in try await self.readers() }
        methods.on(Methods.removeReader) { (reader, _) async throws(EnergyError) in
            try await self.removeReader(reader.name)
        }
        methods.on(Methods.logHeads) { (_, _) async throws(EnergyError) in try await self.heads() }
    }
}
