public import EnergyModel
public import EnergyTransport
internal import EnergyWire
public import Foundation

/// What the grid and the contract were at a venue.
public protocol SignalSource: Sendable {
    /// - Parameter interval: one day on the venue's clocks.
    /// - Returns: sorted, without overlaps; a gap means unknown.
    /// - Throws: `.unavailable` and the like when the answer must be waited for; `.notFound` when there is none.
    func history(venueID: UUID, interval: Interval) async throws(EnergyError) -> [SignalInterval]
}

/// The signals of a guidance-publisher, over the wire.
public struct RemoteSignalSource: SignalSource {
    private let client: any RequestClient

    public init(client: any RequestClient) { self.client = client }

    /// What was known when it happened; where that is nothing, what is known by now: measured later, pushed later, or of
    /// a file that was read later.
    public func history(venueID: UUID, interval: Interval) async throws(EnergyError) -> [SignalInterval] {
        let known = try await intervals(SignalHistoryRequest(venueID: venueID, interval: interval))
        guard !known.isComplete(in: interval) else { return known }
        return known.filled(
            from: try await intervals(
                SignalHistoryRequest(venueID: venueID, interval: interval, isCorrected: true)))
    }

    private func intervals(_ request: SignalHistoryRequest) async throws(EnergyError) -> [SignalInterval] {
        try await client.call(Methods.signalHistory, request).intervals
    }
}
