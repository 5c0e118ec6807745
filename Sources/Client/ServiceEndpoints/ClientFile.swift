public import Foundation
internal import KeyFiles
internal import Yams
internal import ZeroMQ

/// What a client knows of an installation: where its services are, and the keys to them.
///
/// ```yaml
/// endpoints:
///   guidance: tcp://192.168.1.5:7400,tcp://192.168.1.5:7401
///   events: [tcp://192.168.1.5:7410, tcp://192.168.1.5:7411]
/// keys:                     # where services demand them; `energyctl keys client` writes such a file
///   secret: "…"
///   services: { guidance: "…", events: ["…", "…"] }   # tried one after the other
/// venues: [4c1fd6a2-…]      # the only ones that the key may see; absent: all
/// ```
public struct ClientFile: Sendable {
    public var endpoints: Endpoints
    /// `nil` for services that demand none.
    public var keys: ClientKeys?
    /// Those that the key was limited to when the file was written; `nil` is all of them. What counts is what the services
    /// say: this only spares asking in vain.
    public var venues: Set<UUID>?

    private static let bytesMax = 64 * 1024

    public init(endpoints: Endpoints, keys: ClientKeys? = nil) {
        self.endpoints = endpoints
        self.keys = keys
    }

    /// Where a client looks unless it is told otherwise: `gridtide/client.yaml` in the user's configuration folder.
    ///
    /// - Returns: `nil` without a home.
    public static func standardPath(_ environment: [String: String]) -> String? {
        configurationFolder(environment).map { "\($0)/client.yaml" }
    }

    /// The user's own folder for settings and keys.
    ///
    /// - Returns: `nil` without a home.
    public static func configurationFolder(_ environment: [String: String]) -> String? {
        // A relative path is to be ignored: https://specifications.freedesktop.org/basedir-spec/latest/
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return "\(folder)/gridtide" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/.config/gridtide"
    }

    /// The file at the standard path, `nil` when there is none. One with nothing but comments says nothing.
    public static func standard(_ environment: [String: String]) throws(ClientFileError) -> ClientFile? {
        guard let path = standardPath(environment), FileManager.default.fileExists(atPath: path) else { return nil }
        return try ClientFile(path: path, mayBeEmpty: true)
    }

    /// - Throws: ``ClientFileError`` naming the file, also when it says nothing, or holds a secret that other users may read.
    public init(path: String) throws(ClientFileError) { try self.init(path: path, mayBeEmpty: false) }

    private init(path: String, mayBeEmpty: Bool) throws(ClientFileError) {
        let file: PrivateFile.Content
        do throws(KeyFileError) { file = try PrivateFile.read(path) } catch { throw ClientFileError(error.description) }
        let text = file.text
        let reader = ClientFileReader(path: path)
        guard text.utf8.count <= Self.bytesMax else { throw reader.wrong("has more than \(Self.bytesMax) bytes") }
        let node: Node?
        do { node = try Yams.compose(yaml: text) } catch { throw reader.wrong("is not YAML") }
        self.init(endpoints: Endpoints())
        guard let node, node.null == nil else {
            if mayBeEmpty { return }
            throw reader.wrong(
                "is empty; it needs endpoints, or keys, or both ('energyctl keys client' writes such a file)")
        }
        for (key, value) in try reader.entries(node, "the file") {
            switch key {
            case "endpoints": endpoints = try reader.endpoints(value)
            case "keys":
                do throws(KeyFileError) { try file.requirePrivacy() } catch { throw ClientFileError(error.description) }
                keys = try reader.keys(value)
            case "venues": venues = Set(try reader.venues(value))
            case "name": break  // for people
            default: throw reader.wrong("has '\(key)', which is not known; allowed: endpoints, keys, name, venues")
            }
        }
    }
}

/// What is wrong with a client's file: its path, what it says, and what would be right.
public struct ClientFileError: Error, Hashable, Sendable {
    public let message: String

    init(_ message: String) { self.message = message }
}

private struct ClientFileReader {
    /// Of one service.
    private static let keysMax = 110

    let path: String

    func wrong(_ what: String) -> ClientFileError { ClientFileError("\(path): \(what)") }

    func entries(_ node: Node, _ place: String) throws(ClientFileError) -> [(String, Node)] {
        guard let mapping = node.mapping else { throw wrong("\(place) must have names with values below them") }
        return mapping.map { ($0.key.string ?? "", $0.value) }
    }

    func endpoints(_ node: Node) throws(ClientFileError) -> Endpoints {
        var endpoints = Endpoints()
        for (service, addresses) in try entries(node, "endpoints") {
            let list = addresses.sequence?.compactMap(\.string).joined(separator: ",") ?? addresses.string
            do throws(EndpointsError) { try endpoints.name(service, list ?? "") } catch { throw wrong(error.message) }
        }
        return endpoints
    }

    func venues(_ node: Node) throws(ClientFileError) -> [UUID] {
        let texts = node.sequence?.map { $0.string ?? "" } ?? [node.string ?? ""]
        return try texts.map { (text) throws(ClientFileError) in
            guard let id = UUID(uuidString: text) else { throw wrong("'\(text)' is no venue's id") }
            return id
        }
    }

    func keys(_ node: Node) throws(ClientFileError) -> ClientKeys {
        var own: CurveKeyPair?
        var services: [ServiceKind: [CurveKey]] = [:]
        for (name, value) in try entries(node, "keys") {
            switch name {
            case "secret": own = try? CurveKeyPair(secretKey: try key(value, "secret"))
            case "services":
                for (service, value) in try entries(value, "services of keys") {
                    guard let kind = ServiceKind(rawValue: service) else {
                        let names = ServiceKind.allCases.map(\.rawValue).joined(separator: ", ")
                        throw wrong("'\(service)' is no service; allowed: \(names)")
                    }
                    let nodes = value.sequence.map(Array.init) ?? [value]
                    guard 1...Self.keysMax ~= nodes.count else {
                        throw wrong("the keys of '\(service)' must be 1 to \(Self.keysMax)")
                    }
                    services[kind] = try nodes.map { (node) throws(ClientFileError) in try key(node, service) }
                }
            default: throw wrong("'\(name)' of keys is not known; allowed: secret, services")
            }
        }
        guard let own else { throw wrong("keys needs 'secret'") }
        return ClientKeys(own: own, services: services)
    }

    private func key(_ node: Node, _ name: String) throws(ClientFileError) -> CurveKey {
        guard let key = node.string.flatMap(CurveKey.init(_:)) else {
            throw wrong("the key '\(name)' must be 40 characters of Z85 in quotes")
        }
        return key
    }
}
