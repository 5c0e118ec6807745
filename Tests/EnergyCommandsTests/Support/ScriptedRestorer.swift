import EnergyModel
import EnergyStore

/// Says that it restored, and touches nothing.
struct ScriptedRestorer: StoreRestorer {
    /// Whose the files are, by their names; those that are not named are of the event-ingestor.
    var services: [String: StoredService] = [:]
    /// What is said instead, by service.
    var refusals: [StoredService: EnergyError] = [:]

    func service(of backup: String) async throws(EnergyError) -> StoredService {
        guard backup != "nowhere" else { throw EnergyError(.notFound, "there is no file nowhere") }
        return services[backup] ?? .eventIngestor
    }

    func restore(
        _ backup: String, of service: StoredService, into state: String, now: Timestamp,
        writingDown:
            @Sendable (
                _ folder: String, _ act: () throws(EnergyError) -> RestoredStore
            ) throws(EnergyError) -> RestoredStore
    ) async throws(EnergyError) -> RestoredStore {
        try writingDown(state) { () throws(EnergyError) in
            if let refusal = refusals[service] { throw refusal }
            let file = "\(state)/\(service == .eventIngestor ? "events" : service.rawValue).sqlite"
            return RestoredStore(
                service: service, file: file, records: service == .eventIngestor ? 3 : nil,
                replaced: service == .scheduler ? nil : "\(file).replaced-1")
        }
    }
}
