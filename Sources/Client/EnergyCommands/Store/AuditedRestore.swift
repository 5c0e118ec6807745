internal import AuditFiles
internal import EnergyModel
internal import EnergyStore
internal import EnergyTransport
internal import EnergyWire

/// Has backups put in the place of services' stores, none before all could be, and writes each down in that service's
/// audit log, by the machine's own clock.
struct AuditedRestore: Sendable {
    struct Backup: Hashable, Sendable {
        let file: String
        let service: StoredService
    }

    /// The command, as the audit log calls it.
    let act: String
    let restorer: any StoreRestorer
    /// The folder with the services' state directories, or the one of a single service.
    let state: String

    /// - Parameter backups: of a service each.
    func run(_ backups: [Backup], now: Timestamp) async -> RestoreOutcome {
        var outcome = RestoreOutcome(services: backups.map(\.service))
        // This takes no time, and what is refused is told at once; to copy may take a while.
        for backup in backups {
            do throws(EnergyError) { try await restorer.check(backup.service, in: state) } catch {
                outcome.failures.append(error)
            }
        }
        var prepared: [any PreparedRestore] = []
        defer { for restore in prepared { restore.end() } }
        for backup in backups where outcome.failures.isEmpty {
            do throws(EnergyError) { prepared.append(try await prepare(backup)) } catch {
                outcome.failures.append(error)
            }
        }
        for (backup, restore) in zip(backups, prepared) where outcome.failures.isEmpty {
            do throws(EnergyError) { outcome.restored.append(try putInPlace(restore, backup.file, now: now)) } catch {
                outcome.failures.append(error)
            }
        }
        return outcome
    }

    /// - Throws: as the restorer; `.unavailable` when the audit log could not be written.
    private func prepare(_ backup: Backup) async throws(EnergyError) -> any PreparedRestore {
        let restore = try await restorer.prepare(backup.file, of: backup.service, into: state)
        do throws(AuditError) { try StoppedServiceAudit.check(state: restore.folder) } catch {
            restore.end()
            throw Self.refusal(error)
        }
        return restore
    }

    /// - Throws: as the restorer; `.unavailable` when the audit log cannot be written: then nothing is done.
    private func putInPlace(
        _ restore: any PreparedRestore, _ file: String, now: Timestamp
    ) throws(EnergyError) -> RestoredStore {
        let clock = SystemWallClock()
        let audit: StoppedServiceAudit
        do throws(AuditError) {
            audit = try StoppedServiceAudit(act, state: restore.folder, details: ["backup": file], at: clock.now)
        } catch { throw Self.refusal(error) }
        let result: Result<RestoredStore, EnergyError>
        do throws(EnergyError) { result = .success(try restore.putInPlace(now: now)) } catch {
            result = .failure(error)
        }
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

    private static func refusal(_ error: AuditError) -> EnergyError {
        EnergyError(.unavailable, "\(error), and what cannot be written down there is not done")
    }
}

/// What came of restoring some services' stores.
struct RestoreOutcome {
    /// That were to be restored, in this order.
    let services: [StoredService]
    var restored: [RestoredStore] = []
    /// Why others were not. What was restored before stays so.
    var failures: [EnergyError] = []

    /// `nil` when all were restored. Of several it says which were not.
    var failure: CommandFailure? {
        guard let first = failures.first.map({ CommandFailure(onFiles: $0) }) else { return nil }
        guard services.count > 1 else { return first }
        let left = services.filter { service in !restored.contains { $0.service == service } }
        let names = left.map(\.rawValue).joined(separator: ", ")
        let reasons = failures.map { CommandFailure(onFiles: $0).message.asSentence }
        let result = restored.isEmpty ? "Nothing was restored." : "Not restored: \(names)."
        return CommandFailure(first.exit, (reasons + [result]).joined(separator: " "))
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
