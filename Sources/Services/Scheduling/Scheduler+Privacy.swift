public import EnergyModel
internal import EnergyStore
internal import Foundation

extension Scheduler {
    /// Removes the devices of a subject with their goals, plans and progress.
    ///
    /// - Throws: ``EnergyError`` `.unavailable` when the store does not answer, or has no room to be written anew.
    public func erase(_ subject: DataSubject) async throws(EnergyError) -> ErasureReceipt {
        try await exclusively { () async throws(EnergyError) in
            let counts: [ErasedCount]
            do throws(EnergyError) { counts = try await store.erase(subject) } catch {
                // Where it failed after the rows were gone, what is known of them would be stored again with the next change.
                if let kept = try? await store.load() { forget(subject, except: kept) }
                throw error
            }
            forget(subject)
            noteChange(of: subject.venueID)
            // What it took is free for the venue's other devices.
            lookAgain(atVenue: subject.venueID)
            return ErasureReceipt(service: "scheduler", subject: subject, erased: wallClock.now, counts: counts)
        }
    }

    private func forget(_ subject: DataSubject, except kept: ScheduleStoreContent = ScheduleStoreContent()) {
        if subject.deviceID == nil {
            venues[subject.venueID] = nil
            setups[subject.venueID] = kept.venues.first { $0.venueID == subject.venueID }
        }
        let keptKeys = Set(kept.records.map(\.key))
        for key in records.keys where key.venueID == subject.venueID && subject.covers(deviceID: key.deviceID) {
            guard !keptKeys.contains(key) else { continue }
            (records[key], dueAt[key], untold[key], told[key], wasUnplugged[key]) = (nil, nil, nil, nil, nil)
            (idleSince[key], restrainedSince[key], slowPowers[key]) = (nil, nil, nil)
            changed.remove(key)
        }
    }
}
