import EnergyModel
import EnergyStore
import ServiceRuntime

extension ServiceHost {
    /// Hands out and erases what was counted. The erasure in the log takes back once more what is counted until it comes.
    func servePrivacy(of store: any InsightStore & DocumentStore) {
        servePrivacy(store) { [clock] (subject) async throws(EnergyError) in
            ErasureReceipt(
                service: definition.name, subject: subject, erased: clock.now,
                counts: try await store.erase(venueID: subject.venueID) { subject.covers(deviceID: $0) })
        }
    }
}
