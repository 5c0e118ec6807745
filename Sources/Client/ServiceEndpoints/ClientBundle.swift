public import EnergyModel
public import EnergyTransport
public import Foundation
public import KeyFiles
public import ZeroMQ

/// The file that is handed to a device or a person: where the services are, the keys to them, and one's own. It is what
/// ``ClientFile`` reads.
public struct ClientBundle: Sendable {
    public let name: String
    fileprivate let keys: CurveKeyPair
    /// By the names of the executables.
    fileprivate let services: [String: [CurveKey]]
    public let endpoints: Endpoints
    /// `nil` is every venue.
    public let venues: Set<UUID>?

    public var text: String {
        var lines = [
            "# SECRET: whoever has this file is '\(name)'. Its owner only may read it: ~/.config/gridtide/client.yaml"
        ]
        lines.append("name: \(name)")
        if let venues {
            let ids = venues.map { $0.uuidString.lowercased() }.sorted()
            lines.append("venues: [\(ids.joined(separator: ", "))]")
        }
        lines.append("endpoints:")
        for service in ServiceKind.allCases {
            let endpoint = endpoints[service]
            let pairs = zip(endpoint.requestAddresses, endpoint.publishAddresses).map { "\($0),\($1)" }
            lines.append("  \(service.rawValue): \(pairs.joined(separator: ","))")
        }
        lines.append("keys:")
        lines.append("  secret: \"\(keys.secretKey.text)\"")
        lines.append("  services:")
        for service in ServiceKind.allCases {
            guard let keys = services[service.executable]?.map({ "\"\($0.text)\"" }), let first = keys.first else {
                continue
            }
            let text = keys.count == 1 ? first : "[\(keys.joined(separator: ", "))]"
            lines.append("    \(service.rawValue): \(text)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension KeyFolder {
    /// Gives somebody a key, and writes the file that he is handed.
    ///
    /// - Parameters:
    ///   - venues: the only ones that he may see; `nil` is all.
    ///   - path: where to; `nil` is ``bundlePath(_:)``.
    ///   - named: where he finds the services; where nothing is said, as when the keys were made.
    /// - Returns: what the file holds.
    /// - Throws: ``KeyFileError``, also where there is such a file already.
    public func handOver(
        _ name: String, permissions: Set<Permission>, venues: Set<UUID>?, to path: String? = nil,
        endpoints named: Endpoints = Endpoints(), at now: Timestamp
    ) throws(KeyFileError) -> ClientBundle {
        let path = path ?? bundlePath(name)
        let services = try access().allServiceKeys(at: now)
        guard !FileManager.default.fileExists(atPath: path) else { throw .exists(path) }
        // Before the key: one that cannot be handed over would have to be revoked again.
        try PrivateFile.requireFolder(of: path)
        let bundle = ClientBundle(
            name: name, keys: try admit(name, permissions: permissions, venues: venues), services: services,
            endpoints: endpoints(unless: named), venues: venues)
        try PrivateFile.write(bundle.text, to: path, isNew: true)
        return bundle
    }

    /// Writes the file of somebody who has a key already, in place of one that is there.
    public func writeBundle(
        _ name: String, _ keys: CurveKeyPair, to path: String, endpoints named: Endpoints, at now: Timestamp
    ) throws(KeyFileError) {
        let list = try access()
        let bundle = ClientBundle(
            name: name, keys: keys, services: list.allServiceKeys(at: now), endpoints: endpoints(unless: named),
            venues: list.clients[name]?.venues)
        try PrivateFile.write(bundle.text, to: path)
    }

    /// Where clients find the services: what is said now, else what was said when the keys were made.
    private func endpoints(unless named: Endpoints) -> Endpoints {
        guard named == Endpoints() else { return named }
        return (try? ClientFile(path: bundlePath("owner")))?.endpoints ?? named
    }
}

extension KeyFileError {
    fileprivate static func exists(_ path: String) -> KeyFileError {
        KeyFileError("\(path) is there already; say another with --output")
    }
}
