internal import EnergyModel
internal import EnergyTransport

/// What is the same each time is written once, and then counted: a client that is refused a thousand times a second must
/// not fill the log, nor a service that reads another's once for each publication.
struct AuditRepeats {
    struct Key: Hashable, Sendable {
        let action: AuditedAction
        let status: String
    }

    private struct Entry {
        let begin: Timestamp
        var count = 0
    }

    /// Beyond, what comes new is counted as of everybody.
    static let keysMax = 1_000
    static let refusalMilliseconds = Int64.millisecondsPerMinute
    static let readingMilliseconds = Int64.millisecondsPerHour
    static let others = "others"

    private var entries: [Key: Entry] = [:]

    /// - Returns: whether to write it now; otherwise it is counted.
    mutating func isNew(_ key: Key, at now: Timestamp) -> Bool {
        var key = key
        if entries[key] == nil, entries.count >= Self.keysMax {
            key = Key(action: AuditedAction(principal: Self.others, method: key.action.method), status: key.status)
        }
        if entries[key] != nil {
            entries[key]?.count += 1
            return false
        }
        entries[key] = Entry(begin: now)
        return true
    }

    /// Those whose time is over, with how often they were repeated, if they were.
    mutating func takeDue(at now: Timestamp) -> [(Key, Int)] {
        take { key, entry in
            let age = now.milliseconds(since: entry.begin)
            let span = key.status == AuditStatus.ok ? Self.readingMilliseconds : Self.refusalMilliseconds
            // A clock that was set back makes nothing wait for ever.
            return age >= span || age < 0
        }
    }

    mutating func takeAll() -> [(Key, Int)] { take { _, _ in true } }

    private mutating func take(_ isDue: (Key, Entry) -> Bool) -> [(Key, Int)] {
        let due = entries.filter { isDue($0.key, $0.value) }
        for key in due.keys { entries[key] = nil }
        return due.filter { $0.value.count > 0 }.map { ($0.key, $0.value.count) }
            .sorted { ($0.0.action.principal, $0.0.action.method) < ($1.0.action.principal, $1.0.action.method) }
    }
}
