internal import AuditFiles
internal import EnergyModel
internal import EnergyTransport
internal import KeyFiles

/// The list of keys as the service has last written down who is in it, in its state directory: so that a change that
/// was made while it was stopped is in the audit log, too.
struct KnownAccess: Sendable {
    let path: String

    init(_ state: StateDirectory) { path = state.file("known-access.yaml") }

    /// At a start: writes what has changed since the list was last known. Of a new service, everybody is new.
    func note(_ access: AccessFile, in audit: AuditLog, at now: Timestamp) async {
        let (list, before) = (access.list, try? AccessList(path: path))
        if let change = AccessChange(from: before?.principals(at: now) ?? [:], to: list.principals(at: now)) {
            await audit.note(
                .accessChanged,
                change.details.merging(["when": before == nil ? "first start" : "while stopped"]) { $1 })
        }
        keep(list)
    }

    /// After a change was written down. That it cannot be kept says that again at the next start.
    func keep(_ list: AccessList) { try? list.write(to: path) }
}
