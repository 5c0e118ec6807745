internal import EnergyModel
internal import Foundation
internal import SodiumAuthentication

/// One line of an audit log: who did what, when, and what became of it.
///
/// A line is a JSON object. `previous` is the SHA-256 of the line before it as it stands in the file, without its end, so
/// that no line can change, go or come without the next one saying so.
public struct AuditLine: Codable, Hashable, Sendable {
    /// 1, 2, 3 ... without gaps.
    public var sequence: UInt64 = 0
    /// Unix milliseconds, by the machine's clock.
    public var timeUnixMs: Int64 = 0
    /// 64 hexadecimal digits; zeros in the first line.
    public var previous = AuditHash.none
    public var event: Event
    /// The name of the key that asked, the service's own name for what it does by itself, or `user:NAME` of the system's user
    /// who did it while the service was stopped.
    public var principal: String
    /// `energy.v1.<Service>/<Method>`, or the command of what was done while the service was stopped.
    public var method: String?
    /// That the request is about; absent where it is about all of them, about none, or was refused unread.
    public var venues: [String]?
    /// How many more venues there are than ``venues`` names.
    public var moreVenues: Int?
    /// gRPC's name of the status, for example `OK` or `PERMISSION_DENIED`.
    public var status: String?
    /// Of the line in which an action began, in the one that says how it ended.
    public var began: UInt64?
    /// How often the same was seen since the last line about it.
    public var repeats: Int?
    /// What the event is about: names of keys, a file, a receipt. Never a secret.
    public var details: [String: String]?

    /// What a line tells.
    public enum Event: String, Codable, Hashable, Sendable, CaseIterable {
        /// Written before an action is carried out.
        case actionBegins = "action_begins"
        case actionEnds = "action_ends"
        /// Refused before it began: nothing was changed.
        case actionRefused = "action_refused"
        /// Something that needs the permission to administer was read.
        case read
        case serviceStarted = "service_started"
        case serviceStopped = "service_stopped"
        case accessChanged = "access_changed"
        /// The list of keys is wrong: the one before stays in force.
        case accessStays = "access_stays"
        case dataErased = "data_erased"
        /// The oldest file was removed, to keep within the limit.
        case linesRemoved = "lines_removed"
        /// The end of a line that a crash had cut off was removed.
        case endRepaired = "end_repaired"
        /// At a start, the log was not as it had been left.
        case faultFound = "fault_found"
    }

    public init(
        _ event: Event, principal: String, method: String? = nil, status: String? = nil,
        details: [String: String]? = nil
    ) {
        self.event = event
        self.principal = principal
        self.method = method
        self.status = status
        self.details = details
    }

    /// Without the end of the line.
    func encoded() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        // Numbers and text: there is nothing that JSON has no form for.
        return (try? encoder.encode(self)).map(Array.init) ?? []
    }

    /// - Returns: `nil` for bytes that are no line.
    init?(_ bytes: some Collection<UInt8>) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let line = try? decoder.decode(AuditLine.self, from: Data(bytes)) else { return nil }
        self = line
    }
}

/// Hashes of lines, as text.
public enum AuditHash {
    /// Before the first line.
    public static let none = String(repeating: "0", count: 64)

    static func of(_ line: some Collection<UInt8>) -> String { SodiumHash.sha256(line).hexadecimal }
}

/// The newest line of an audit log: by it, lines that are missing at the end are found.
public struct AuditHead: Hashable, Sendable, CustomStringConvertible {
    public let sequence: UInt64
    public let hash: String

    public static let empty = AuditHead(sequence: 0, hash: AuditHash.none)

    init(sequence: UInt64, hash: String) { (self.sequence, self.hash) = (sequence, hash) }

    /// - Returns: `nil` for text that ``description`` did not make.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let sequence = UInt64(parts[0]), parts[1].utf8.count == 64,
            parts[1].utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
        else { return nil }
        self.init(sequence: sequence, hash: parts[1].lowercased())
    }

    /// `SEQUENCE:HASH`
    public var description: String { "\(sequence):\(hash)" }
}
