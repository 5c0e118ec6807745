public import EnergyModel

/// Says which demand-response events are declared, for example a file that a utility's program writes.
public protocol DemandResponseSource: Sendable {
    /// For example `file:events.json`; its events carry it. At most 100 bytes.
    var name: String { get }

    /// All that are declared and not over. One that is no longer among them is cancelled.
    ///
    /// - Throws: ``EnergyError`` when it cannot be read; then what it said before stays.
    func events(now: Timestamp) async throws(EnergyError) -> [DemandResponseEvent]
}
