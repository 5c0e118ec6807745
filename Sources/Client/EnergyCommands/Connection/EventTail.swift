internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

/// Reads the newest part of a venue's log, and then what is added to it, each event once. Publications only say that
/// there is something: the log is what counts, so a publication that is lost loses nothing.
struct EventTail {
    private let context: CommandContext
    private let venueID: UUID
    private let deviceID: String?
    private let partition: Int
    /// Sequence of the last record that was read.
    private var position: UInt64 = 0
    private var logID: UUID?
    /// Where the log may not be read, what is published is all there is.
    private var retained: RetainedEvents?

    /// What is said then.
    static let deniedNote =
        "The log itself needs the permission 'admin' for every venue. Shown is what the event-ingestor still has in memory "
        + "of the venue's events, and what comes in."

    var isLogDenied: Bool { retained != nil }

    init(context: CommandContext, venueID: UUID, deviceID: String? = nil) {
        self.context = context
        self.venueID = venueID
        self.deviceID = deviceID
        self.partition = LogPartition.of(venueID: venueID)
    }

    /// The newest `limit` events that occurred at or after `since`, in the order of the log.
    mutating func newest(limit: Int, since: Timestamp? = nil) async throws(CommandFailure) -> [Event] {
        guard let head = try await readableHead() else {
            var retained = RetainedEvents(context: context, prefix: topicPrefix)
            let events = try await retained.newest(limit: limit, since: since)
            self.retained = retained
            return events
        }
        position = head.sequence
        var events: [Event] = []
        var upper = head.sequence
        // The partition holds other venues too: look further back, in growing steps, until there are enough.
        var step = UInt64(max(16, min(limit, 1024)))
        // Retention may have removed the oldest.
        while upper > head.removedSequence, events.count < limit {
            let lower = max(head.removedSequence, upper > step ? upper - step : 0)
            let (found, oldest) = try await read(after: lower, through: upper, since: since, keeping: limit)
            events = Array((found + events).suffix(limit))
            // Records stand in the order of their arrival, and an event arrives after it occurred.
            if let since, let oldest, oldest < since.advanced(byMilliseconds: -Self.clockAllowanceMilliseconds) {
                break
            }
            upper = lower
            step = min(step * 4, 65_536)
        }
        return events
    }

    /// What was added since the last call.
    ///
    /// - Parameter event: why it is asked for.
    mutating func next(after event: SubscriptionEvent) async throws(CommandFailure) -> [Event] {
        guard retained == nil else {
            if case .publication(let publication) = event { return retained?.events(of: publication) ?? [] }
            return try await retained?.newest(limit: .max) ?? []
        }
        let known = logID
        let head = try await head()
        if known != logID || head.sequence < position {
            // Restored from a backup: what it holds now was there before.
            position = head.sequence
            return []
        }
        guard head.sequence > position else { return [] }
        let lower = max(position, head.removedSequence)
        let events = try await read(after: lower, through: head.sequence, since: nil, keeping: .max).events
        position = head.sequence
        return events
    }

    /// Says when to call ``next()``.
    func news(from connection: ServiceConnection) -> Subscription {
        connection.subscribe(topicPrefix)
    }

    private var topicPrefix: String {
        deviceID.map { Topics.events(venueID: venueID, deviceID: $0) } ?? Topics.events(venueID: venueID)
    }

    /// `false` for the publication of a record that has been read already.
    func mayHaveMore(after event: SubscriptionEvent) -> Bool {
        guard retained == nil, case .publication(let publication) = event,
            let record = try? LogRecord(decoding: publication.body)
        else { return true }
        return record.sequence > position
    }

    /// A device's clock may be ahead by this much.
    private static let clockAllowanceMilliseconds: Int64 = 15 * .millisecondsPerMinute

    /// - Returns: `nil` when the log may not be read.
    private mutating func readableHead() async throws(CommandFailure) -> LogHead? {
        // Asking in vain would be a refusal in the services' logs.
        if context.isLimited { return nil }
        do throws(CommandFailure) { return try await head() } catch {
            guard error.exit == .denied else { throw error }
            return nil
        }
    }

    private mutating func head() async throws(CommandFailure) -> LogHead {
        let answer = try await context.call(.events, Methods.logHeads, Empty())
        logID = answer.logID
        return answer.heads.first { $0.partition == partition } ?? LogHead(partition: partition, sequence: 0)
    }

    /// - Returns: the last `count` events of the venue and device, and when the first record was received.
    private func read(
        after lower: UInt64, through upper: UInt64, since: Timestamp?, keeping count: Int
    ) async throws(CommandFailure) -> (events: [Event], oldest: Timestamp?) {
        var events: [Event] = []
        var oldest: Timestamp?
        let position = LogPosition(partition: partition, afterSequence: lower)
        var pages = try await context.read(.events, Methods.readLog, position)
        reading: while let page = try await pages.next() {
            for record in page.records {
                if record.sequence > upper { break reading }
                oldest = oldest ?? record.received
                events += record.events.filter { event in
                    event.venueID == venueID && (deviceID == nil || event.device.id == deviceID)
                        && (since.map { event.timestamp >= $0 } ?? true)
                }
                if events.count / 2 > count { events.removeFirst(events.count - count) }
                if record.sequence == upper { break reading }
            }
        }
        return (events.count > count ? Array(events.suffix(count)) : events, oldest)
    }
}
