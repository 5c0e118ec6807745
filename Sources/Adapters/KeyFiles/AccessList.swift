public import EnergyModel
public import EnergyTransport
public import Foundation
internal import Yams
public import ZeroMQ

/// Who may connect to an installation's services, and what each may do: `access.yaml`.
public struct AccessList: Hashable, Sendable {
    public static let fileName = "access.yaml"
    public static let clientsMax = 10_000
    /// Of one service.
    public static let hostsMax = 100
    /// Of one client or service: keys before the one in use that still open.
    public static let previousMax = 10
    /// Whom the services themselves call so: nobody with a key may be taken for one of them.
    public static let reservedNames: Set<String> = ["local", "audit-log", "others"]

    /// Somebody with a key.
    public struct Client: Hashable, Sendable {
        public var key: CurveKey
        public var permissions: Set<Permission>
        /// `nil` is every venue.
        public var venues: Set<UUID>?
        /// Keys before the last rotations, each of which still opens until its time; the newest first.
        public var previous: [PreviousKey]

        public init(
            key: CurveKey, permissions: Set<Permission>, venues: Set<UUID>?, previous: [PreviousKey] = []
        ) {
            self.key = key
            self.permissions = permissions
            self.venues = venues
            self.previous = previous
        }
    }

    public struct PreviousKey: Hashable, Sendable {
        public var key: CurveKey
        public var until: Timestamp

        public init(key: CurveKey, until: Timestamp) {
            self.key = key
            self.until = until
        }
    }

    /// What a service's processes may have besides its key.
    public struct FurtherKeys: Hashable, Sendable {
        /// Announced, so that everybody knows it before it is used.
        public var next: CurveKey?
        /// Before the last changes, each good until its time; the newest first.
        public var previous: [PreviousKey] = []
        /// Of its processes on other hosts, by what the hosts are called here.
        public var hosts: [String: CurveKey] = [:]

        public init() {}

        var isEmpty: Bool { self == FurtherKeys() }
    }

    /// The public keys of the services, by the names of their executables: what clients and other services expect to
    /// find. A service may do everything at the others.
    public var services: [String: CurveKey] = [:]
    public var further: [String: FurtherKeys] = [:]
    public var clients: [String: Client] = [:]

    public init() {}

    /// - Throws: ``KeyFileError`` naming the file and the entry, or when other users may change the file.
    public init(path: String) throws(KeyFileError) {
        let file = try PrivateFile.read(path)
        try file.requireIntegrity()
        try self.init(yaml: file.text, path: path)
    }

    /// The principals by their public keys as text, as of `now`.
    public func principals(at now: Timestamp) -> [String: Principal] {
        var principals: [String: Principal] = [:]
        for name in services.keys {
            for key in serviceKeys(name, at: now) {
                principals[key.text] = Principal(name: name, permissions: Set(Permission.allCases))
            }
        }
        for (name, client) in clients {
            let principal = Principal(name: name, permissions: client.permissions, venues: client.venues)
            principals[client.key.text] = principal
            for previous in client.previous.open(at: now) { principals[previous.key.text] = principal }
        }
        return principals
    }

    /// The keys that a service may show as of `now`, the likeliest first.
    public func serviceKeys(_ name: String, at now: Timestamp) -> [CurveKey] {
        guard let key = services[name] else { return [] }
        let further = further[name] ?? FurtherKeys()
        return [key] + further.hosts.sorted { $0.key < $1.key }.map(\.value)
            + [further.next].compactMap(\.self) + further.previous.open(at: now).map(\.key)
    }

    /// The keys that each service may show as of `now`, by the names of the executables.
    public func allServiceKeys(at now: Timestamp) -> [String: [CurveKey]] {
        Dictionary(uniqueKeysWithValues: services.keys.map { ($0, serviceKeys($0, at: now)) })
    }

    /// When ``principals(at:)`` changes by itself next.
    public func nextChange(after now: Timestamp) -> Timestamp? {
        let previous = clients.values.flatMap(\.previous) + further.values.flatMap(\.previous)
        return previous.map(\.until).filter { $0 > now }.min()
    }

    public func write(to path: String) throws(KeyFileError) {
        try PrivateFile.write(yaml, to: path, keepsReaders: true)
    }

    /// What a client may be called from now on: a command takes what begins with `-` for an option.
    public static func isNewName(_ text: String) -> Bool { isName(text) && text.utf8.first != UInt8(ascii: "-") }

    /// Names appear in file names, logs and topics.
    public static func isName(_ text: String) -> Bool {
        1...64 ~= text.utf8.count && text.utf8.first != UInt8(ascii: ".")
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}

extension [AccessList.PreviousKey] {
    /// Those whose time is not over.
    public func open(at now: Timestamp) -> [AccessList.PreviousKey] { filter { now < $0.until } }

    /// After a change: the key that was in use, and those before it that still open, each until its own time.
    ///
    /// - Throws: when there are too many to keep.
    func adding(_ key: CurveKey, until: Timestamp, of name: String, at now: Timestamp) throws(KeyFileError) -> Self {
        let keys = [AccessList.PreviousKey(key: key, until: until)].open(at: now) + open(at: now)
        guard keys.count <= AccessList.previousMax else {
            throw KeyFileError(
                "\(name) has \(count) old keys that still open, the most that are allowed; the next of them ends at "
                    + "\(open(at: now).map(\.until).min() ?? until)")
        }
        return keys
    }
}
