internal import AuditFiles
internal import EnergyModel
internal import EnergyStore
internal import EnergyTransport
internal import EnergyWire

/// Has a backup put in the place of a service's store, and writes it down in that service's audit log, by the machine's
/// own clock.
struct AuditedRestore: Sendable {
    /// The command, as the audit log calls it.
    let act: String
    let restorer: any StoreRestorer

    /// - Throws: as the restorer; `.unavailable` when the audit log cannot be written: then nothing is done.
    func run(
        _ file: String, of service: StoredService, into state: String, now: Timestamp
    ) async throws(EnergyError) -> RestoredStore {
        let act = act
        return try await restorer.restore(file, of: service, into: state, now: now) {
            (folder, restore) throws(EnergyError) in
            try Self.writingDown(act, file, folder, restore)
        }
    }

    private static func writingDown(
        _ act: String, _ file: String, _ folder: String, _ restore: () throws(EnergyError) -> RestoredStore
    ) throws(EnergyError) -> RestoredStore {
        let clock = SystemWallClock()
        let audit: StoppedServiceAudit
        do throws(AuditError) {
            audit = try StoppedServiceAudit(act, state: folder, details: ["backup": file], at: clock.now)
        } catch {
            throw EnergyError(.unavailable, "\(error), and what cannot be written down there is not done")
        }
        let result: Result<RestoredStore, EnergyError>
        do throws(EnergyError) { result = .success(try restore()) } catch { result = .failure(error) }
        do throws(AuditError) {
            switch result {
            case .success(let restored):
                try audit.end(status: AuditStatus.text(nil), details: restored.auditDetails, at: clock.now)
            case .failure(let error):
                try audit.end(status: AuditStatus.text(CallFailure(error)), at: clock.now)
            }
        } catch {
            // It is done, and that it began is written down: the next start goes on from there.
        }
        return try result.get()
    }
}

extension RestoredStore {
    fileprivate var auditDetails: [String: String] {
        var details = ["file": file]
        details["records"] = records.map { "\($0)" }
        details["replaced"] = replaced
        return details
    }
}
