import EnergyModel
import EnergyStore
import EnergyTestSupport

/// Says that it restored, and touches nothing.
struct ScriptedRestorer: StoreRestorer {
    /// Whose the files are, by their names; those that are not named are of the event-ingestor.
    var services: [String: StoredService] = [:]
    /// What is said instead of putting a backup in place, by service.
    var refusals: [StoredService: EnergyError] = [:]
    /// What is said instead of checking where it would go.
    var hindrances: [StoredService: EnergyError] = [:]
    /// What is said instead of preparing it.
    var damages: [StoredService: EnergyError] = [:]
    /// What was done, in this order, with the service.
    let acts = Box<[String]>([])

    func service(of backup: String) async throws(EnergyError) -> StoredService {
        guard backup != "nowhere" else { throw EnergyError(.notFound, "there is no file nowhere") }
        return services[backup] ?? .eventIngestor
    }

    func check(_ service: StoredService, in state: String) async throws(EnergyError) {
        if let hindrance = hindrances[service] { throw hindrance }
    }

    func prepare(
        _ backup: String, of service: StoredService, into state: String
    ) async throws(EnergyError) -> any PreparedRestore {
        if let damage = damages[service] { throw damage }
        note("prepare", service)
        return ScriptedRestore(service: service, folder: state, restorer: self)
    }

    fileprivate func note(_ act: String, _ service: StoredService) {
        let text = "\(act) \(service.rawValue)"
        acts.update { $0.append(text) }
    }
}

private struct ScriptedRestore: PreparedRestore {
    let service: StoredService
    let folder: String
    let restorer: ScriptedRestorer

    func putInPlace(now: Timestamp) throws(EnergyError) -> RestoredStore {
        if let refusal = restorer.refusals[service] { throw refusal }
        restorer.note("put", service)
        let file = "\(folder)/\(service == .eventIngestor ? "events" : service.rawValue).sqlite"
        return RestoredStore(
            service: service, file: file, records: service == .eventIngestor ? 3 : nil,
            replaced: service == .scheduler ? nil : "\(file).replaced-1")
    }

    func end() { restorer.note("end", service) }
}
