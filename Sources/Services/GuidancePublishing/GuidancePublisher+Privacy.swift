public import EnergyModel
internal import EnergyStore
internal import Foundation

extension GuidancePublisher {
    /// Removes a venue with all its past, as if it had never been; of a device nothing is kept here.
    ///
    /// - Throws: ``EnergyError`` `.conflict` for a venue that the configuration names; `.unavailable` when the store does
    ///   not answer, or has no room to be written anew.
    public func erase(_ subject: DataSubject) async throws(EnergyError) -> ErasureReceipt {
        await enter()
        defer { leave() }
        try requireStarted()
        let id = subject.venueID
        guard subject.deviceID == nil else {
            return ErasureReceipt(service: "guidance-publisher", subject: subject, erased: wallClock.now, counts: [])
        }
        guard !configuredVenueIDs.contains(id) else {
            throw EnergyError(
                .conflict,
                "the venue is one of the configured: take it out of the setting 'venues' ('venues: []' is none), start "
                    + "the service again, and then erase it")
        }
        let counts = try await store.eraseVenue(id)
        roster.forget(id)
        asked[id] = nil
        demandResponse.removeAll { $0.scope == .venue(id) }
        updateNeededSources()
        await beginJournalAnew(without: id)
        return ErasureReceipt(service: "guidance-publisher", subject: subject, erased: wallClock.now, counts: counts)
    }
}
