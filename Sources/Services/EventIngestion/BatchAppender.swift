internal import EnergyModel
internal import EnergyStore
internal import EnergyWire
internal import Foundation

/// What became of one batch in a transaction.
struct AppendedBatch: Sendable {
    let result: SubmitResult
    /// One per venue, in the order of the batch; none when every event was known.
    let records: [AppendedRecord]
}

struct AppendedRecord: Sendable {
    let record: LogRecord
    /// The record's events as the sender encoded them; `nil` when the record is not the whole batch.
    let encoded: [UInt8]?
}

/// Puts one batch into the log, all of it or nothing: first every event is judged, then the records are appended.
struct BatchAppender {
    private let batch: AdmittedBatch
    private let received: Timestamp
    private let log: any EventLogTransaction

    /// Events of this batch, with their digests.
    private var seen: [VenueKey: UInt64] = [:]
    private var trackers: [SessionTracker] = []
    private var trackerPlaces: [VenueKey: Int] = [:]
    /// The session of the event before, which is mostly the next one's too.
    private var lastSession: (key: VenueKey, place: Int)?
    /// Refused once: what follows from the first refusal of a session is not told.
    private var brokenSessions: Set<Int> = []
    private var violations: [RuleViolation] = []
    private var isConflict = false
    /// Numbers of the events that are not in the log yet.
    private var fresh: [Int] = []

    /// Events and sessions belong to a venue.
    private struct VenueKey: Hashable {
        let venueID: UUID
        let id: UUID

        /// Ids are random: half of one is hash enough. A batch is small, should they be made to collide.
        func hash(into hasher: inout Hasher) {
            withUnsafeBytes(of: id.uuid) { hasher.combine($0.loadUnaligned(as: UInt64.self)) }
        }
    }

    private init(_ batch: AdmittedBatch, received: Timestamp, log: any EventLogTransaction) {
        self.batch = batch
        self.received = received
        self.log = log
        seen.reserveCapacity(batch.events.count)
        fresh.reserveCapacity(batch.events.count)
    }

    /// - Returns: the refusal, if the batch breaks a rule; then nothing was appended.
    /// - Throws: what the log throws: the transaction has failed.
    static func append(
        _ batch: AdmittedBatch, received: Timestamp, to log: any EventLogTransaction
    ) throws -> Result<AppendedBatch, EnergyError> {
        var appender = BatchAppender(batch, received: received, log: log)
        for index in batch.events.indices {
            try appender.judge(batch.events[index], batch.marks[index], at: index)
            if appender.violations.count >= IngestLimits.violationsMax { break }
        }
        if let refusal = Refusal.error(appender.violations, code: appender.isConflict ? .conflict : .invalidInput) {
            return .failure(refusal)
        }
        return .success(try appender.append())
    }

    private mutating func judge(_ event: Event, _ mark: EventMark, at index: Int) throws {
        let key = VenueKey(venueID: event.venueID, id: event.id)
        if let digest = try seen[key] ?? log.knownDigest(ofEvent: event.id, venueID: event.venueID) {
            if digest != mark.digest {
                isConflict = true
                violations.append(
                    RuleViolation(
                        index: index, field: "id", rule: "must not be that of another event",
                        value: event.id.uuidString.lowercased()))
            }
            return
        }
        seen[key] = mark.digest
        fresh.append(index)
        guard let session = event.session else { return }
        let place = try trackerPlace(VenueKey(venueID: event.venueID, id: session.id))
        if case .refused(let violation) = trackers[place].apply(event), brokenSessions.insert(place).inserted {
            violations.append(violation.at(index: index))
        }
    }

    private mutating func trackerPlace(_ key: VenueKey) throws -> Int {
        if let lastSession, lastSession.key == key { return lastSession.place }
        let place: Int
        if let known = trackerPlaces[key] {
            place = known
        } else {
            place = trackers.count
            trackers.append(SessionTracker(try log.session(key.id, venueID: key.venueID)))
            trackerPlaces[key] = place
        }
        lastSession = (key, place)
        return place
    }

    private func append() throws -> AppendedBatch {
        let duplicates = batch.events.count - fresh.count
        let result = SubmitResult(accepted: fresh.count, duplicates: duplicates)
        guard let first = fresh.first else { return AppendedBatch(result: result, records: []) }
        let sessions = trackers.compactMap(\.progress)
        let venueID = batch.events[first].venueID
        if duplicates == 0 && batch.events.allSatisfy({ $0.venueID == venueID }) {
            // Not of parts of a batch: parts might need more memory for their size than decoding allows.
            let payload = batch.encoded ?? EventBatch(events: batch.events).encoded()
            let record = try append(batch.events, batch.marks, payload, sessions: sessions, venueID: venueID)
            return AppendedBatch(result: result, records: [AppendedRecord(record: record, encoded: payload)])
        }
        let records = try fresh.groupedInOrder(by: { batch.events[$0].venueID }).map { venueID, numbers in
            let events = numbers.map { batch.events[$0] }
            let record = try append(
                events, numbers.map { batch.marks[$0] }, EventBatch(events: events).encoded(),
                sessions: sessions.filter { $0.venueID == venueID }, venueID: venueID)
            return AppendedRecord(record: record, encoded: nil)
        }
        return AppendedBatch(result: result, records: records)
    }

    private func append(
        _ events: [Event], _ marks: [EventMark], _ payload: [UInt8], sessions: [SessionProgress], venueID: UUID
    ) throws -> LogRecord {
        let sequence = try log.append(
            RecordDraft(
                venueID: venueID, received: received, principal: batch.principal, payload: payload, events: marks,
                sessions: sessions))
        return LogRecord(
            partition: LogPartition.of(venueID: venueID), sequence: sequence, venueID: venueID, received: received,
            principal: batch.principal, events: events)
    }
}
