internal import EnergyModel
internal import EnergyTransport
internal import Foundation
internal import Yams
internal import ZeroMQ

extension AccessList {
    init(yaml text: String, path: String) throws(KeyFileError) {
        self.init()
        let root: Node?
        do { root = try Yams.compose(yaml: text) } catch { throw KeyFileError("\(path) is not YAML: \(error)") }
        guard let root, root.null == nil else { return }
        let reader = Reader(path: path)
        for (name, value) in try reader.entries(root, in: "the file") {
            switch name {
            case "services":
                for (service, key) in try reader.entries(value, in: name) {
                    (services[try reader.name(service)], further[service]) = try reader.service(key, named: service)
                }
            case "clients":
                for (client, entry) in try reader.entries(value, in: name) {
                    guard !Self.reservedNames.contains(client) else {
                        throw reader.wrong("no client may be called '\(client)': services call others so", entry)
                    }
                    clients[try reader.name(client)] = try reader.client(entry, named: client)
                }
            default: throw reader.wrong("'\(name)' is not known; allowed: services, clients")
            }
        }
        try checkKeys(reader)
    }

    private func checkKeys(_ reader: Reader) throws(KeyFileError) {
        guard clients.count <= Self.clientsMax else {
            throw reader.wrong("has \(clients.count) clients; at most \(Self.clientsMax) are allowed")
        }
        if let both = clients.keys.sorted().first(where: { services[$0] != nil }) {
            throw reader.wrong("'\(both)' is a service and cannot be a client, too")
        }
        var owners: [CurveKey: String] = [:]
        let keys =
            services.map { ($0.key, $0.value) }
            + further.flatMap { name, keys in
                ([keys.next].compactMap(\.self) + keys.previous.map(\.key) + keys.hosts.values).map { (name, $0) }
            }
            + clients.flatMap { name, client in
                [(name, client.key)] + client.previous.map { (name, $0.key) }
            }
        for (name, key) in keys.sorted(by: { $0.0 < $1.0 }) {
            guard let other = owners.updateValue(name, forKey: key) else { continue }
            throw reader.wrong("\(name) has the same key as \(other); each needs one of its own")
        }
    }

    var yaml: String {
        var lines = [
            "# Who may connect, and what they may do. `energyctl keys` writes it; services follow within a second."
        ]
        lines.append("services:" + (services.isEmpty ? " {}" : ""))
        for (name, key) in services.sorted(by: { $0.key < $1.key }) { lines += serviceLines(name, key) }
        lines.append("clients:" + (clients.isEmpty ? " {}" : ""))
        for (name, client) in clients.sorted(by: { $0.key < $1.key }) {
            lines.append("  \(name):")
            lines.append("    key: \(quoted(client.key))")
            lines.append("    allow: [\(client.permissions.map(\.rawValue).sorted().joined(separator: ", "))]")
            if let venues = client.venues {
                lines.append(
                    "    venues: [\(venues.map { $0.uuidString.lowercased() }.sorted().joined(separator: ", "))]")
            }
            lines += self.lines(client.previous)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func serviceLines(_ name: String, _ key: CurveKey) -> [String] {
        guard let further = further[name], !further.isEmpty else { return ["  \(name): \(quoted(key))"] }
        var lines = ["  \(name):", "    key: \(quoted(key))"]
        if let next = further.next { lines.append("    next: \(quoted(next))") }
        lines += self.lines(further.previous)
        if !further.hosts.isEmpty {
            lines.append("    hosts:")
            lines += further.hosts.sorted { $0.key < $1.key }.map { "      \($0.key): \(quoted($0.value))" }
        }
        return lines
    }

    private func lines(_ previous: [PreviousKey]) -> [String] {
        guard !previous.isEmpty else { return [] }
        return ["    previous:"]
            + previous.map { "      - { key: \(quoted($0.key)), until: \($0.until.description) }" }
    }

    /// Z85 has every kind of bracket, but neither quote nor backslash.
    private func quoted(_ key: CurveKey) -> String { "\"\(key.text)\"" }
}

/// Reads parts of the file, and says where one is wrong.
private struct Reader {
    let path: String

    func wrong(_ what: String, _ node: Node? = nil) -> KeyFileError {
        KeyFileError("\(path)\(node?.mark.map { ":\($0.line)" } ?? ""): \(what)")
    }

    func entries(_ node: Node, in place: String) throws(KeyFileError) -> [(String, Node)] {
        if node.null != nil { return [] }
        guard let mapping = node.mapping else { throw wrong("\(place) must have names with values below them", node) }
        return mapping.map { ($0.key.string ?? "", $0.value) }
    }

    func name(_ text: String) throws(KeyFileError) -> String {
        guard AccessList.isName(text) else {
            throw wrong("'\(text)' is no name; allowed: 1 to 64 of a-z, 0-9, '-', '_' and '.'")
        }
        return text
    }

    func key(_ node: Node?, of name: String) throws(KeyFileError) -> CurveKey {
        guard let key = node?.string.flatMap(CurveKey.init(_:)) else {
            throw wrong("the key of \(name) must be 40 characters of Z85 in quotes", node)
        }
        return key
    }

    /// A key, or a map of all that the service's processes have.
    func service(
        _ node: Node, named name: String
    ) throws(KeyFileError) -> (CurveKey, AccessList.FurtherKeys?) {
        if node.string != nil { return (try key(node, of: name), nil) }
        var (own, further): (CurveKey?, AccessList.FurtherKeys) = (nil, .init())
        for (field, value) in try entries(node, in: name) {
            switch field {
            case "key": own = try key(value, of: name)
            case "next": further.next = try key(value, of: name)
            case "previous": further.previous = try previous(value, of: name)
            case "hosts":
                for (host, hostKey) in try entries(value, in: "hosts of \(name)") {
                    guard further.hosts.count < AccessList.hostsMax else {
                        throw wrong("\(name) has more than \(AccessList.hostsMax) hosts", value)
                    }
                    further.hosts[try self.name(host)] = try key(hostKey, of: "\(name) on \(host)")
                }
            default:
                throw wrong("'\(field)' of \(name) is not known; allowed: key, next, previous, hosts", value)
            }
        }
        guard let own else { throw wrong("\(name) has no key", node) }
        return (own, further.isEmpty ? nil : further)
    }

    func client(_ node: Node, named name: String) throws(KeyFileError) -> AccessList.Client {
        var (key, previous): (CurveKey?, [AccessList.PreviousKey]) = (nil, [])
        var permissions: Set<Permission> = []
        var venues: Set<UUID>?
        for (field, value) in try entries(node, in: name) {
            switch field {
            case "key": key = try self.key(value, of: name)
            case "allow":
                permissions = Set(
                    try list(value, of: name).map { (text) throws(KeyFileError) in try permission(text, value) })
            case "venues":
                venues = Set(try list(value, of: name).map { (text) throws(KeyFileError) in try venue(text, value) })
            case "previous": previous = try self.previous(value, of: name)
            default: throw wrong("'\(field)' of \(name) is not known; allowed: key, allow, venues, previous", value)
            }
        }
        guard let key else { throw wrong("\(name) has no key", node) }
        return AccessList.Client(key: key, permissions: permissions, venues: venues, previous: previous)
    }

    private func list(_ node: Node, of name: String) throws(KeyFileError) -> [String] {
        guard let items = node.sequence, items.count <= 1_000 else {
            throw wrong("\(name) needs a list such as [a, b] there, of at most 1,000", node)
        }
        return items.map { $0.string ?? "" }
    }

    private func permission(_ text: String, _ node: Node) throws(KeyFileError) -> Permission {
        guard let permission = Permission(rawValue: text) else {
            let words = Permission.allCases.map(\.rawValue).joined(separator: ", ")
            throw wrong("'\(text)' is no permission; allowed: \(words)", node)
        }
        return permission
    }

    private func venue(_ text: String, _ node: Node) throws(KeyFileError) -> UUID {
        guard let id = UUID(uuidString: text) else { throw wrong("'\(text)' is no venue's id", node) }
        return id
    }

    /// One, or a list of them.
    private func previous(_ node: Node, of name: String) throws(KeyFileError) -> [AccessList.PreviousKey] {
        let nodes = node.sequence.map(Array.init) ?? [node]
        guard nodes.count <= AccessList.previousMax else {
            throw wrong("\(name) has more than \(AccessList.previousMax) old keys", node)
        }
        return try nodes.map { (node) throws(KeyFileError) in try previousKey(node, of: name) }
    }

    private func previousKey(_ node: Node, of name: String) throws(KeyFileError) -> AccessList.PreviousKey {
        let fields = Dictionary(try entries(node, in: "previous of \(name)"), uniquingKeysWith: { first, _ in first })
        guard let text = fields["until"]?.string, let until = Timestamp(iso8601: text) else {
            throw wrong("previous of \(name) needs 'until', a time such as 2027-01-31T00:00:00Z", node)
        }
        return AccessList.PreviousKey(key: try key(fields["key"], of: name), until: until)
    }
}
