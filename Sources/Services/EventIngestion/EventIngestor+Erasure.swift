public import EnergyModel
internal import EnergyStore
internal import EnergyWire
internal import Foundation

extension EventIngestor {
    /// Who submitted what was erased is not kept either, where nothing else is left of a record.
    static let nobody = "erased"
    /// Field 15 of a batch, of four bytes: see ``StoredRecord/replacing(payload:principal:)``.
    private static let filler: [UInt8] = [15 << 3 | 2, 4, 0, 0, 0, 0]
    /// Of one transaction, so that nobody who submits waits long.
    private static let recordsPerStep = 200
    private static let bytesPerStep = 2 << 20

    /// Removes everything of the subject from the log.
    ///
    /// First an ``Erasure`` is appended, by which readers take back what they have counted, and the subject's sessions are
    /// forgotten. Then each record before it is written anew without the subject's events, in its place and with its
    /// checksum. What is sent afterwards is new. Done again after a failure, it goes on.
    ///
    /// - Parameter hash: SHA-256.
    /// - Throws: `.unavailable` when the store does not answer, or has no room to be written anew; then much may be gone
    ///   already.
    public func erase(
        _ subject: DataSubject, hash: @Sendable ([UInt8]) -> [UInt8]
    ) async throws(EnergyError) -> ErasureReceipt {
        if subject.deviceID == nil { venues.forget(venue: subject.venueID) }
        let now = clock.now
        let draft = RecordDraft(
            venueID: subject.venueID, received: now, principal: Self.nobody, payload: [], events: [], sessions: [],
            erasure: Erasure(of: subject, salt: .random(in: .min ... .max)))
        let (sequence, forgotten) = try await store.write { log in
            let forgotten = try log.forget(subject)
            return (try log.append(draft), forgotten)
        }
        let partition = LogPartition.of(venueID: subject.venueID)
        publications.publish(
            LogRecord(
                partition: partition, sequence: sequence, venueID: subject.venueID, received: now,
                principal: Self.nobody, events: [], erasure: draft.erasure))
        var records = ErasedRecords(
            partition: partition, sequences: [], count: 0, hash: [], erasureSequence: sequence)
        let (events, checksums) = try await removeEvents(of: subject, &records)
        try await store.scrub()
        records.hash = hash(checksums)
        let counts = forgotten + [ErasedCount(kind: "event", count: events)]
        return ErasureReceipt(
            service: "event-ingestor", subject: subject, erased: now,
            counts: counts.sorted { $0.kind < $1.kind }, records: records)
    }

    /// - Returns: how many events were removed, and the checksums of the records that held them, big endian.
    private func removeEvents(
        of subject: DataSubject, _ records: inout ErasedRecords
    ) async throws(EnergyError) -> (events: Int, checksums: [UInt8]) {
        let head = try await store.heads().first { $0.partition == records.partition }
        var (reached, events, checksums) = (head?.removedSequence ?? 0, 0, [UInt8]())
        while reached + 1 < records.erasureSequence {
            let page: [StoredRecord]
            do throws(EnergyError) {
                page = try await store.records(
                    inPartition: records.partition, after: reached, countMax: Self.recordsPerStep,
                    bytesMax: Self.bytesPerStep)
            } catch  where error.code == .dataLoss {
                // Whose it was is not known: told, and passed over.
                records.unreadable += 1
                reached += 1
                continue
            }
            guard let last = page.last else { break }
            let erased = page.filter { $0.sequence < records.erasureSequence }.compactMap { Self.rest(of: $0, subject) }
            if !erased.isEmpty { try await store.replace(erased) }
            for rest in erased {
                events += rest.events.count
                records.count += 1
                if records.sequences.count < ErasedRecords.sequencesMax {
                    records.sequences.append(rest.record.sequence)
                }
                withUnsafeBytes(of: rest.record.checksum.bigEndian) { checksums += $0 }
            }
            reached = last.sequence
        }
        return (events, checksums)
    }

    /// - Returns: `nil` when the record has nothing of the subject.
    private static func rest(of record: StoredRecord, _ subject: DataSubject) -> ErasedRecord? {
        guard record.venueID == subject.venueID, record.erasure == nil,
            let events = try? EventBatch(decoding: record.payload).events
        else { return nil }
        let kept = events.filter { !subject.covers(deviceID: $0.device.id) }
        guard kept.count < events.count else { return nil }
        let payload = kept.isEmpty ? [] : EventBatch(events: kept).encoded()
        return ErasedRecord(
            record: record.replacing(payload: payload + filler, principal: kept.isEmpty ? nobody : record.principal),
            events: events.filter { subject.covers(deviceID: $0.device.id) }.map(\.id))
    }
}
