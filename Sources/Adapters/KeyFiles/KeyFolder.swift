public import EnergyModel
public import EnergyTransport
public import Foundation
public import ZeroMQ

/// A folder with the keys of an installation: a key file per process, and ``AccessList``.
///
///     guidance-publisher.key   its own, secret
///     event-ingestor.key       ...
///     access.yaml              who may connect: public keys only
///
/// A host needs `access.yaml` and the key files of the processes that run there.
public struct KeyFolder: Sendable {
    /// The processes that have a key of their own.
    public static let processes = [
        "guidance-publisher", "event-ingestor", "insight-service", "scheduler", "device-simulator",
        "energy-dashboard",
    ]

    public let path: String

    public init(path: String) { self.path = path }

    public var accessPath: String { "\(path)/\(AccessList.fileName)" }

    public func keyPath(_ name: String) -> String { "\(path)/\(name).key" }

    /// Where a client's file is kept, so that its key can be shown again.
    public func bundlePath(_ name: String) -> String { "\(path)/\(name).yaml" }

    /// Makes the folder, a key for every process, and a list without clients.
    ///
    /// - Throws: ``KeyFileError``, also when there are keys already.
    public func make() throws(KeyFileError) {
        guard !FileManager.default.fileExists(atPath: accessPath) else {
            throw KeyFileError("\(accessPath) is there already: this installation has its keys")
        }
        try PrivateFile.makeFolder(path)
        var list = AccessList()
        for process in Self.processes {
            let keys = try Self.newKeys()
            try KeyFile(name: process, keys: keys).write(to: keyPath(process))
            list.services[process] = keys.publicKey
        }
        try list.write(to: accessPath)
    }

    /// Gives somebody a key.
    ///
    /// - Returns: the key, which is written down nowhere.
    public func admit(
        _ name: String, permissions: Set<Permission>, venues: Set<UUID>?
    ) throws(KeyFileError) -> CurveKeyPair {
        guard AccessList.isNewName(name) else {
            throw KeyFileError(
                "'\(name)' is no name; allowed: 1 to 64 of a-z, 0-9, '-', '_' and '.', and neither '-' nor '.' first")
        }
        guard !AccessList.reservedNames.contains(name), !Self.processes.contains(name) else {
            throw KeyFileError("no client may be called '\(name)': services call themselves or others so")
        }
        let keys = try Self.newKeys()
        try change { (list) throws(KeyFileError) in
            guard list.services[name] == nil else { throw KeyFileError("'\(name)' is a service") }
            guard list.clients[name] == nil else {
                throw KeyFileError("'\(name)' has a key already; give it a new one with: energyctl keys rotate \(name)")
            }
            guard list.clients.count < AccessList.clientsMax else {
                throw KeyFileError("\(accessPath) has \(AccessList.clientsMax) clients, the most that are allowed")
            }
            list.clients[name] = .init(key: keys.publicKey, permissions: permissions, venues: venues)
        }
        return keys
    }

    /// Gives a client a new key; the old one opens until `until`, and those before it until their own time.
    public func rotate(_ name: String, until: Timestamp, at now: Timestamp) throws(KeyFileError) -> CurveKeyPair {
        let keys = try Self.newKeys()
        try change { (list) throws(KeyFileError) in
            guard var client = list.clients[name] else { throw unknown(name, list) }
            client.previous = try client.previous.adding(client.key, until: until, of: name, at: now)
            client.key = keys.publicKey
            list.clients[name] = client
        }
        return keys
    }

    /// Lets a client in no longer, with none of its keys, and removes its file from the folder.
    ///
    /// - Throws: also for a service, with what to do instead.
    public func revoke(_ name: String) throws(KeyFileError) {
        try change { (list) throws(KeyFileError) in
            guard list.services[name] == nil else {
                throw KeyFileError(
                    """
                    '\(name)' is a service, and the others cannot do without it. Where its key may be known to somebody: \
                    energyctl keys rotate \(name), then energyctl keys rotate \(name) --finish --overlap 1m, and start it \
                    again. To shut out its process on another host: energyctl keys revoke \(name) --host HOST
                    """)
            }
            guard list.clients.removeValue(forKey: name) != nil else { throw unknown(name, list) }
        }
        // Its key opens nothing any more, and its name is free.
        if bundlePath(name) != accessPath { unlink(bundlePath(name)) }
    }

    public func access() throws(KeyFileError) -> AccessList {
        guard FileManager.default.fileExists(atPath: accessPath) else {
            throw KeyFileError("\(accessPath) is not there; make keys first with: energyctl keys init")
        }
        return try AccessList(path: accessPath)
    }

    /// - Throws: ``KeyFileError`` naming those that there are, where there is none of this name.
    public func client(_ name: String) throws(KeyFileError) -> AccessList.Client {
        let list = try access()
        guard let client = list.clients[name] else { throw unknown(name, list) }
        return client
    }

    public func unknown(_ name: String, _ list: AccessList) -> KeyFileError {
        let known = list.clients.keys.sorted().prefix(20).joined(separator: ", ")
        return KeyFileError(
            "no client is called '\(name)'; " + (known.isEmpty ? "there is none" : "there are: \(known)"))
    }

    /// One process at a time changes the list.
    func change(_ body: (inout AccessList) throws(KeyFileError) -> Void) throws(KeyFileError) {
        let lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if lock >= 0 { close(lock) } }
        if lock >= 0 { flock(lock, LOCK_EX) }
        var list = try access()
        try body(&list)
        try list.write(to: accessPath)
    }

    static func newKeys() throws(KeyFileError) -> CurveKeyPair {
        do throws(ZeroMQError) { return try CurveKeyPair.make() } catch {
            throw KeyFileError("no key can be made: \(error.reason)")
        }
    }
}
