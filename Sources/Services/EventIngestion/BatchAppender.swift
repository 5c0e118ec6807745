internal import EnergyModel
internal import EnergyStore
internal import EnergyWire
internal import Foundation

/// What became of one batch in a transaction.
struct AppendedBatch: Sendable {
    let result: SubmitResult
    /// One per venue, in the order of the batch; none when every event was known.
    let records: [LogRecord]
}

/// Puts one batch into the log, all of it or nothing: first every event is judged, then the records are appended.
struct BatchAppender {
    private let batch: AdmittedBatch
    private let received: Timestamp
    private let log: any EventLogTransaction

    private var known: [EventKey: UInt64] = [:]
    private var trackers: [EventKey: SessionTracker] = [:]
    /// Refused once: what follows from the first refusal of a session is not told.
    private var brokenSessions: Set<EventKey> = []
    private var violations: [RuleViolation] = []
    private var isConflict = false
    private var fresh: [(event: Event, mark: EventMark)] = []

    /// Events and sessions belong to a venue.
    private struct EventKey: Hashable {
        let venueID: UUID
        let id: UUID
    }

    private init(_ batch: AdmittedBatch, received: Timestamp, log: any EventLogTransaction) {
        self.batch = batch
        self.received = received
        self.log = log
    }

    /// - Returns: the refusal, if the batch breaks a rule; then nothing was appended.
    /// - Throws: what the log throws: the transaction has failed.
    static func append(
        _ batch: AdmittedBatch, received: Timestamp, to log: any EventLogTransaction
    ) throws -> Result<AppendedBatch, EnergyError> {
        var appender = BatchAppender(batch, received: received, log: log)
        try appender.lookUpEvents()
        for (index, entry) in batch.events.enumerated() {
            try appender.judge(entry.event, entry.mark, at: index)
            if appender.violations.count >= IngestLimits.violationsMax { break }
        }
        if let refusal = Refusal.error(appender.violations, code: appender.isConflict ? .conflict : .invalidInput) {
            return .failure(refusal)
        }
        return .success(try appender.append())
    }

    private mutating func lookUpEvents() throws {
        for (venueID, events) in Dictionary(grouping: batch.events, by: \.event.venueID) {
            for (id, digest) in try log.knownEvents(events.map(\.mark.id), venueID: venueID) {
                known[EventKey(venueID: venueID, id: id)] = digest
            }
        }
    }

    private mutating func judge(_ event: Event, _ mark: EventMark, at index: Int) throws {
        let key = EventKey(venueID: event.venueID, id: event.id)
        if let digest = known[key] {
            if digest != mark.digest {
                isConflict = true
                violations.append(
                    RuleViolation(
                        index: index, field: "id", rule: "must not be that of another event",
                        value: event.id.uuidString.lowercased()))
            }
            return
        }
        known[key] = mark.digest
        fresh.append((event, mark))
        guard let session = event.session else { return }
        let sessionKey = EventKey(venueID: event.venueID, id: session.id)
        var tracker = try trackers[sessionKey] ?? SessionTracker(log.session(session.id, venueID: event.venueID))
        if case .refused(let violation) = tracker.apply(event), brokenSessions.insert(sessionKey).inserted {
            violations.append(violation.at(index: index))
        }
        trackers[sessionKey] = tracker
    }

    private func append() throws -> AppendedBatch {
        let sessions = Dictionary(grouping: trackers.values.compactMap(\.progress), by: \.venueID)
        let records = try fresh.groupedInOrder(by: \.event.venueID).map { venueID, entries in
            try append(entries, sessions: sessions[venueID] ?? [], venueID: venueID)
        }
        return AppendedBatch(
            result: SubmitResult(accepted: fresh.count, duplicates: batch.events.count - fresh.count),
            records: records)
    }

    private func append(
        _ entries: [(event: Event, mark: EventMark)], sessions: [SessionProgress], venueID: UUID
    ) throws -> LogRecord {
        let events = entries.map(\.event)
        let sequence = try log.append(
            RecordDraft(
                venueID: venueID, received: received, principal: batch.principal,
                payload: EventBatch(events: events).encoded(), events: entries.map(\.mark), sessions: sessions))
        return LogRecord(
            partition: LogPartition.of(venueID: venueID), sequence: sequence, venueID: venueID, received: received,
            principal: batch.principal, events: events)
    }
}
