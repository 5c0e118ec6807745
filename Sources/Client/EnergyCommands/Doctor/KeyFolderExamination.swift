internal import EnergyModel
internal import EnergyTransport
internal import Foundation
internal import KeyFiles
internal import ServiceEndpoints
internal import ZeroMQ

/// Looks at the folder with an installation's keys, where this machine has one.
struct KeyFolderExamination {
    let folder: KeyFolder
    let client: ClientFile?
    let now: Timestamp

    private static let subject = "keys"

    func findings() -> [Finding] {
        let list: AccessList
        do throws(KeyFileError) { list = try folder.access() } catch {
            return [
                .failure(
                    Self.subject, "who may connect", error.description,
                    "The services go on with what they read before; mend the file before they start again.")
            ]
        }
        let count = list.clients.count
        return [.ok(Self.subject, "who may connect", "\(folder.accessPath): \(count) client\(count == 1 ? "" : "s")")]
            + list.services.keys.sorted().flatMap { key(of: $0, list) } + ownKey(list)
    }

    /// A host has the key files of the processes that run there only.
    private func key(of service: String, _ list: AccessList) -> [Finding] {
        let path = folder.keyPath(service)
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let file: KeyFile
        do throws(KeyFileError) { file = try KeyFile(path: path) } catch {
            return [
                .failure(
                    Self.subject, service, error.description,
                    "\(service) does not start with it. Its owner must be the user that \(service) runs as.")
            ]
        }
        guard list.serviceKeys(service, at: now).contains(file.keys.publicKey) else {
            return [
                .failure(
                    Self.subject, service, "\(path) is not the key that access.yaml has for \(service)",
                    "Copy access.yaml and \(service).key from one folder, or make a new key: energyctl keys rotate \(service)."
                )
            ]
        }
        return [.ok(Self.subject, service, "its key is private, and the one that access.yaml has")]
    }

    private func ownKey(_ list: AccessList) -> [Finding] {
        guard let keys = client?.keys else { return [] }
        let check = "this client"
        guard let principal = list.principals(at: now)[keys.own.publicKey.text] else {
            return [
                .warning(
                    Self.subject, check, "the key of the client's file is not in \(folder.accessPath)",
                    "It may be another installation's. Else: energyctl keys client NAME --allow …")
            ]
        }
        let changed = ServiceKind.allCases.filter { service in
            let known = list.serviceKeys(service.executable, at: now)
            return !known.isEmpty && Set(known).isDisjoint(with: keys.services[service] ?? [])
        }
        guard changed.isEmpty else {
            return [
                .failure(
                    Self.subject, check,
                    "the client's file does not have today's key of \(changed.map(\.executable).joined(separator: ", "))",
                    "energyctl keys bundle \(principal.name) writes the file anew.")
            ]
        }
        let permissions = principal.permissions.map(\.rawValue).sorted().joined(separator: ", ")
        return [.ok(Self.subject, check, "is '\(principal.name)' and may: \(permissions)")]
    }
}
