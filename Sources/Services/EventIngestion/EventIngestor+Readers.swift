internal import EnergyModel
internal import EnergyStore
internal import EnergyWire

/// Those who must see every record, as they have said themselves.
extension EventIngestor {
    func readers() async throws(EnergyError) -> LogReaderList {
        let positions = Dictionary(grouping: try await store.readers(), by: \.name)
        let limit = clock.now.advanced(byMilliseconds: -LogReader.patienceMilliseconds)
        let readers = positions.sorted { $0.key < $1.key }.map { name, positions in
            let seen = positions.map(\.seen).max() ?? limit
            return LogReaderState(
                name: name,
                handled: positions.sorted { $0.partition < $1.partition }.map {
                    LogHead(partition: $0.partition, sequence: $0.sequence)
                },
                lastSeen: seen, isGivenUp: seen < limit)
        }
        return LogReaderList(readers: readers)
    }

    /// - Throws: `.notFound`.
    func removeReader(_ name: String) async throws(EnergyError) -> Empty {
        guard try await store.removeReader(name) else {
            throw EnergyError(.notFound, "the log has no reader '\(name.prefix(64))'")
        }
        return Empty()
    }
}
