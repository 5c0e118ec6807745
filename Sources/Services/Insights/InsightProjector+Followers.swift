internal import EnergyModel
internal import EnergyStore

extension InsightProjector {
    /// Moves the baselines of the sessions that come after one in its stay, if that one's ends elsewhere now: each begins
    /// where the one before it ends. What they used stays as it is, so their events are not read again.
    ///
    /// - Parameters:
    ///   - session: as it was.
    ///   - draft: it was counted anew here.
    func moveFollowers(of session: CountedSession, _ draft: inout ProjectionDraft) async throws(EnergyError) {
        guard var last = draft.session(session.key), last.resumes != session.resumes else { return }
        let vehicle = VehicleKey(venueID: last.key.venueID, deviceID: last.series.deviceID)
        var stay = draft.stay(of: vehicle)
        if stay == nil { stay = try await store.stays([vehicle])[vehicle] }
        stay?.move(behind: last)
        // Where one stays, so does everything behind it.
        while let next = try await store.session(following: last.key),
            let moved = try await draft.move(next, behind: last)
        {
            stay?.move(behind: moved)
            last = moved
        }
        if let stay { draft.keep(stay, of: vehicle) }
    }
}
