internal import EnergyModel
internal import Foundation

/// Goes through a log, record by record, and notes what must not be.
struct LogVerifier {
    /// Told in words; more are counted.
    private static let faultsMax = 20
    /// Looked for among so many events; beyond, the ids of the oldest are forgotten.
    private static let idsMax = 10_000_000

    private(set) var records = 0
    private(set) var events = 0
    private(set) var sessions = 0
    private(set) var faultCount = 0
    private(set) var faults: [String] = []
    /// Records that retention has removed: they are not checked.
    private(set) var removed: UInt64 = 0
    private(set) var damages: [LogDamage] = []

    private var expected: UInt64 = 1
    /// Whether the log may have begun in the middle of a session.
    private var isCut = false
    /// Ids of events, and of sessions, are those of a venue.
    private struct Key: Hashable {
        let venueID: UUID
        let id: UUID
    }
    private var ids: Set<Key> = []
    private var open: [Key: SessionTracker] = [:]

    mutating func begin(_ head: LogHead) {
        expected = head.removedSequence &+ 1
        removed &+= head.removedSequence
        isCut = head.removedSequence > 0
        // A venue, and with it its sessions and ids, is of one partition.
        (ids, open) = ([], [:])
    }

    /// What follows is held against what is known of it only.
    mutating func noteDamage(_ damage: LogDamage) {
        faultCount += 1
        damages.append(damage)
        expected = damage.last &+ 1
        isCut = true
    }

    mutating func check(_ record: LogRecord) {
        records += 1
        let place = "record \(record.sequence) of partition \(record.partition)"
        if record.sequence != expected { fault("\(place): \(expected) should come next") }
        expected = record.sequence &+ 1
        if LogPartition.of(venueID: record.venueID) != record.partition {
            fault("\(place): its venue \(record.venueID.text) is of another partition")
        }
        // One whose events were all erased has none, and neither has one that says so.
        if record.erasure != nil, !record.events.isEmpty { fault("\(place): it is an erasure, and has events") }
        for event in record.events { check(event, of: record, place) }
    }

    private mutating func check(_ event: Event, of record: LogRecord, _ place: String) {
        events += 1
        if event.venueID != record.venueID { fault("\(place): event \(event.id.text) is of another venue") }
        if ids.count >= Self.idsMax { ids = [] }
        if !ids.insert(Key(venueID: event.venueID, id: event.id)).inserted {
            fault("\(place): event \(event.id.text) is in the log already")
        }
        guard let session = event.session else { return }
        if session.state == .begin { sessions += 1 }
        // Its begin may have been removed.
        let key = Key(venueID: event.venueID, id: session.id)
        if isCut && session.state != .begin && open[key] == nil { return }
        var tracker = open[key] ?? SessionTracker()
        if case .refused(let violation) = tracker.apply(event) { fault("\(place): \(violation.description)") }
        open[key] = tracker
    }

    mutating func end(_ head: LogHead) {
        if expected != head.sequence &+ 1 {
            fault("partition \(head.partition): ends at \(expected &- 1), not at its head \(head.sequence)")
        }
    }

    private mutating func fault(_ text: String) {
        faultCount += 1
        if faults.count < Self.faultsMax { faults.append(text) }
    }
}
