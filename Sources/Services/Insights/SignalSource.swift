public import EnergyModel
public import EnergyTransport
internal import EnergyWire
public import Foundation

/// What the grid and the contract were at a venue.
public protocol SignalSource: Sendable {
    /// - Parameter interval: one UTC day.
    /// - Returns: sorted, without overlaps; a gap means unknown.
    /// - Throws: `.unavailable` and the like when the answer must be waited for; `.notFound` when there is none.
    func history(venueID: UUID, interval: Interval) async throws(EnergyError) -> [SignalInterval]
}

/// The signals of a guidance-publisher, over the wire.
public struct RemoteSignalSource: SignalSource {
    private let client: any RequestClient

    public init(client: any RequestClient) { self.client = client }

    public func history(venueID: UUID, interval: Interval) async throws(EnergyError) -> [SignalInterval] {
        try await client.call(Methods.signalHistory, SignalHistoryRequest(venueID: venueID, interval: interval))
            .intervals
    }
}
