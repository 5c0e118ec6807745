internal import EnergyTransport

/// What became different when the list of keys was read again: names only.
struct AccessChange: Equatable {
    let added: [String]
    /// They are let in no longer.
    let revoked: [String]
    /// Another key, permission or venue; or an old key whose time is over.
    let changed: [String]

    /// - Parameters: principals by their public keys.
    /// - Returns: `nil` when nobody may do anything else.
    init?(from before: [String: Principal], to after: [String: Principal]) {
        guard before != after else { return nil }
        let (old, new) = (Self.byName(before), Self.byName(after))
        added = new.keys.filter { old[$0] == nil }.sorted()
        revoked = old.keys.filter { new[$0] == nil }.sorted()
        changed = new.filter { name, keys in old[name].map { $0 != keys } ?? false }.keys.sorted()
    }

    private static func byName(_ principals: [String: Principal]) -> [String: [String: Principal]] {
        principals.reduce(into: [:]) { names, entry in names[entry.value.name, default: [:]][entry.key] = entry.value }
    }

    /// For the audit log: at most 50 names of a kind.
    var details: [String: String] {
        ["added": added, "revoked": revoked, "changed": changed].filter { !$0.value.isEmpty }.mapValues { names in
            names.prefix(50).joined(separator: " ") + (names.count > 50 ? " and \(names.count - 50) more" : "")
        }
    }
}
