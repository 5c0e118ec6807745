public import EnergyModel
internal import Foundation
public import ZeroMQ

/// Changing a service's key, in two steps, and keys of its processes on other hosts.
///
/// A client must know a service's key before it connects. So a new key is announced first, beside the one in use; clients
/// and other services try both. Once all know it, it takes the old one's place, and the old one is good for a while more.
extension KeyFolder {
    public func nextKeyPath(_ service: String) -> String { "\(path)/\(service).next.key" }

    /// Of a service's process on another host.
    public func hostKeyPath(_ service: String, host: String) -> String { "\(path)/\(service).on.\(host).key" }

    /// Makes the key that the service will have.
    ///
    /// - Throws: also when one is announced already.
    public func announceKey(of service: String) throws(KeyFileError) {
        let keys = try Self.newKeys()
        try change { (list) throws(KeyFileError) in
            try requireService(service, list)
            guard list.further[service]?.next == nil else {
                throw KeyFileError(
                    "\(service) has a new key already; put it in use with: energyctl keys rotate \(service) --finish")
            }
            try KeyFile(name: service, keys: keys).write(to: nextKeyPath(service))
            list.further[service, default: .init()].next = keys.publicKey
        }
    }

    /// Puts the announced key in place of the one in use, which is good until `until`. The service shows the new one when
    /// it is started again. Keys before keep their own time.
    ///
    /// - Throws: when none is announced, or its file is not there.
    public func finishRotation(of service: String, until: Timestamp, at now: Timestamp) throws(KeyFileError) {
        try change { (list) throws(KeyFileError) in
            try requireService(service, list)
            guard let next = list.further[service]?.next, let key = list.services[service] else {
                throw KeyFileError("\(service) has no new key; make one with: energyctl keys rotate \(service)")
            }
            let file = try KeyFile(path: nextKeyPath(service))
            guard file.keys.publicKey == next else {
                throw KeyFileError("\(nextKeyPath(service)) is not the key that \(accessPath) announces")
            }
            let previous = try (list.further[service]?.previous ?? []).adding(key, until: until, of: service, at: now)
            // The list first would lock a service out that starts in between; this way it is known by either.
            guard rename(nextKeyPath(service), keyPath(service)) == 0 else {
                throw KeyFileError("\(keyPath(service)) cannot be replaced: \(String(cString: strerror(errno)))")
            }
            list.services[service] = next
            list.further[service]?.next = nil
            list.further[service]?.previous = previous
        }
    }

    /// Gives a service's process on another host a key of its own, unless it has one.
    ///
    /// - Returns: its public half, and whether it is new.
    public func admitHost(_ host: String, of service: String) throws(KeyFileError) -> (key: CurveKey, isNew: Bool) {
        guard AccessList.isName(host) else {
            throw KeyFileError("'\(host)' is no name; allowed: 1 to 64 of a-z, 0-9, '-', '_' and '.'")
        }
        let list = try access()
        try requireService(service, list)
        if let key = list.further[service]?.hosts[host] { return (key, false) }
        let keys = try Self.newKeys()
        try change { (list) throws(KeyFileError) in
            guard list.further[service]?.hosts.count ?? 0 < AccessList.hostsMax else {
                throw KeyFileError("\(service) has \(AccessList.hostsMax) hosts, the most that are allowed")
            }
            try KeyFile(name: service, keys: keys).write(to: hostKeyPath(service, host: host))
            list.further[service, default: .init()].hosts[host] = keys.publicKey
        }
        return (keys.publicKey, true)
    }

    /// Lets the service's process on another host in no longer.
    public func revokeHost(_ host: String, of service: String) throws(KeyFileError) {
        try change { (list) throws(KeyFileError) in
            try requireService(service, list)
            let known = list.further[service]?.hosts.keys.sorted() ?? []
            guard list.further[service]?.hosts.removeValue(forKey: host) != nil else {
                throw KeyFileError(
                    "\(service) has no key of its own on '\(host)'; "
                        + (known.isEmpty
                            ? "it has none on any other host" : "it has on: \(known.joined(separator: ", "))"))
            }
        }
    }

    private func requireService(_ name: String, _ list: AccessList) throws(KeyFileError) {
        guard list.services[name] != nil else { throw unknownService(name, list) }
    }

    public func unknownService(_ name: String, _ list: AccessList) -> KeyFileError {
        KeyFileError(
            "no service is called '\(name)'; there are: \(list.services.keys.sorted().joined(separator: ", "))")
    }
}
