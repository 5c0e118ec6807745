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
                if let kept = try? await store.load().records { forget(subject, except: Set(kept.map(\.key))) }
                throw error
            }
            forget(subject)
            if subject.deviceID == nil { (venues[subject.venueID], setups[subject.venueID]) = (nil, nil) }
            noteChange(of: subject.venueID)
            // What it took is free for the venue's other devices.
            lookAgain(atVenue: subject.venueID)
            return ErasureReceipt(service: "scheduler", subject: subject, erased: wallClock.now, counts: counts)
        }
    }

    private func forget(_ subject: DataSubject, except kept: Set<DeviceKey> = []) {
        for key in records.keys where key.venueID == subject.venueID && subject.covers(deviceID: key.deviceID) {
            guard !kept.contains(key) else { continue }
            (records[key], dueAt[key], untold[key], told[key], wasUnplugged[key]) = (nil, nil, nil, nil, nil)
            (idleSince[key], restrainedSince[key], slowPowers[key]) = (nil, nil, nil)
            changed.remove(key)
        }
    }
}
