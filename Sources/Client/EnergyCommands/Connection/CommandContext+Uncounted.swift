internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

/// Events of a venue that are in the log, and not in an answer yet.
struct UncountedEvents: Hashable {
    /// More are not counted one by one.
    fileprivate static let countMax = 10_000

    /// When the newest of what is in the answer came; `nil` where that is nothing, or no longer kept.
    let countedThrough: Timestamp?
    /// `nil` where the caller may not know.
    let count: Int?

    static let hidden = UncountedEvents(countedThrough: nil, count: nil)

    /// `Up to 10:15:03; 120 events that came since are not in it yet.`
    func sentence(in zone: TimeZone, now: Timestamp) -> String {
        guard let count else {
            return "Whether all events are in it is not known: that needs the permission admin for all venues."
        }
        let events =
            (count >= Self.countMax ? "at least " : "")
            + "\(Quantities.count(count, "event")) that came"
        let rest = count == 1 ? "is not in it yet." : "are not in it yet."
        guard let countedThrough else { return "\(events) \(rest)".asSentence }
        let time = VenueTime(countedThrough, in: zone)
        let day = time.date == VenueTime(now, in: zone).date ? "" : "\(time.date.long) "
        return "Up to \(day)\(time.clockWithSeconds); \(events) since \(rest)"
    }
}

/// The same as JSON.
struct UncountedDocument: Encodable {
    let countedThrough: String?
    /// At most 10,000 are counted; absent where the caller may not know how many there are, or whether.
    let events: Int?
    let known: Bool

    init(_ uncounted: UncountedEvents, in zone: TimeZone) {
        known = uncounted.count != nil
        countedThrough = uncounted.countedThrough?.iso8601(in: zone)
        events = uncounted.count
    }
}

/// How far a venue's log is.
enum LogEnd {
    case at(LogHead)
    /// The caller may not know.
    case hidden
    /// Nobody can say.
    case unknown
}

extension CommandContext {
    private static let logTimeoutMax = Duration.seconds(3)

    /// How far a venue's log is. Asked before a question: what comes while that is answered is nothing that it lacks.
    func logEnd(of venue: Venue) async -> LogEnd {
        let partition = LogPartition.of(venueID: venue.id)
        guard let connection = try? connection(.events) else { return .unknown }
        do throws(EnergyError) {
            let heads = try await connection.call(
                Methods.logHeads, Empty(), timeout: min(timeout, Self.logTimeoutMax)
            ).heads
            return heads.first { $0.partition == partition }.map(LogEnd.at) ?? .unknown
        } catch { return error.code == .denied ? .hidden : .unknown }
    }

    /// What of the log up to `end` is not in an answer.
    ///
    /// - Parameter applied: what the answer is true of.
    /// - Returns: `nil` where nothing is missing of the venue, or nobody can say.
    func uncounted(at venue: Venue, in applied: [LogHead], to end: LogEnd) async -> UncountedEvents? {
        if case .hidden = end { return .hidden }
        guard case .at(let head) = end, let counted = applied.first(where: { $0.partition == head.partition }),
            counted.sequence < head.sequence
        else { return nil }
        // The newest that is counted is read once more, for its time.
        let after = max(head.removedSequence, counted.sequence == 0 ? 0 : counted.sequence - 1)
        var (through, count) = (Timestamp?.none, 0)
        let passOver: (LogDamage) -> Void = { _ in }
        try? await readLog(
            LogHead(partition: head.partition, sequence: head.sequence, removedSequence: after), damage: passOver
        ) { (record) throws(CommandFailure) in
            guard record.sequence > counted.sequence else {
                through = record.received
                return
            }
            if record.venueID == venue.id { count += record.events.count }
            if count >= UncountedEvents.countMax { throw CommandFailure(.failure, "") }
        }
        return count == 0
            ? nil : UncountedEvents(countedThrough: through, count: min(count, UncountedEvents.countMax))
    }

    /// Beneath a table: a sum that lacks something must not look whole.
    ///
    /// - Parameter isNote: beside the output, where that is a file.
    func tell(_ uncounted: UncountedEvents?, at venue: Venue, isNote: Bool = false) {
        guard let uncounted else { return }
        let sentence = uncounted.sentence(in: venue.timeZone, now: wallClock.now)
        TerminalText.fitted(sentence, to: style.width).forEach(isNote ? output.note : output.line)
    }
}
