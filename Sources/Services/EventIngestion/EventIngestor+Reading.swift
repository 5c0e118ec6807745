public import EnergyModel
internal import EnergyStore
public import EnergyWire

extension EventIngestor {
    /// The newest record of every partition.
    public func heads() async throws(EnergyError) -> LogHeads {
        LogHeads(heads: try await store.heads(), logID: try await store.logID())
    }

    /// Hands over the log of one partition in order, page by page, at least up to what its head was at the call.
    ///
    /// - Throws: `.invalidInput` for a partition that does not exist; `.conflict` when the log is another than the one
    ///   that the position names, or the record there has another checksum; `.outOfRange` for a position after the head, which
    ///   is that of another log, and for one whose next records are no longer kept; `.dataLoss` when the next record is
    ///   damaged; what `write` throws.
    public func read(
        after position: LogPosition, _ write: (LogPage) async throws(EnergyError) -> Void
    ) async throws(EnergyError) {
        guard let head = try await store.heads().first(where: { $0.partition == position.partition }) else {
            throw .invalidInput(
                RuleViolation(
                    field: "partition", rule: "must be 0 to \(LogPartition.count - 1)", value: "\(position.partition)"))
        }
        try await checkLog(of: position)
        guard position.afterSequence <= head.sequence else {
            throw EnergyError(
                .outOfRange,
                "partition \(head.partition) ends at \(head.sequence), before position \(position.afterSequence)")
        }
        if position.afterSequence > 0 && position.afterSequence < head.removedSequence {
            throw EnergyError(
                .outOfRange,
                "partition \(head.partition) is kept from \(head.removedSequence + 1) on, after position "
                    + "\(position.afterSequence)")
        }
        try await note(position)
        var reached = position
        while reached.afterSequence < head.sequence {
            let page: LogPage
            do throws(EnergyError) { page = try await self.page(after: reached) } catch {
                watch.readFailed(error)
                throw error
            }
            guard let last = page.records.last else { return }
            try await write(page)
            reached.afterSequence = last.sequence
        }
    }

    /// A position of a log that was here before a backup was restored means nothing in this one.
    private func checkLog(of position: LogPosition) async throws(EnergyError) {
        if let logID = position.logID, try await store.logID() != logID {
            throw EnergyError(.conflict, "this is not the log that was read: it has another identity")
        }
        // A record that was removed says nothing about the position.
        guard let checksum = position.afterChecksum,
            let found = try await store.checksum(ofRecord: position.afterSequence, inPartition: position.partition)
        else { return }
        guard found == checksum else {
            throw EnergyError(
                .conflict,
                "this is not the log that was read: record \(position.afterSequence) of partition \(position.partition) "
                    + "is another")
        }
    }

    /// Decoding takes time, so it is not done on the caller's thread.
    @concurrent
    private func page(after position: LogPosition) async throws(EnergyError) -> LogPage {
        let stored = try await store.records(
            inPartition: position.partition, after: position.afterSequence, countMax: IngestLimits.pageRecordsMax,
            bytesMax: IngestLimits.pagePayloadBytesMax)
        var records: [LogRecord] = []
        for record in stored {
            guard let events = try? EventBatch(decoding: record.payload).events else {
                if !records.isEmpty { break }
                throw EnergyError(
                    .dataLoss, "record \(record.sequence) of the log's partition \(record.partition) cannot be decoded")
            }
            records.append(
                LogRecord(
                    partition: record.partition, sequence: record.sequence, venueID: record.venueID,
                    received: record.received, principal: record.principal,
                    events: events, checksum: record.checksum, erasure: record.erasure))
        }
        return LogPage(records: records)
    }

    /// Keeps for a reader what it has not handled.
    private func note(_ position: LogPosition) async throws(EnergyError) {
        guard !position.reader.isEmpty else { return }
        if let violation = NameRules.violation(ofIdentifier: position.reader, field: "reader") {
            throw .invalidInput(violation)
        }
        try await store.note(
            LogReader(
                name: position.reader, partition: position.partition, sequence: position.afterSequence,
                seen: clock.now))
    }

    /// What the log knows of a venue's sessions: which go on, which have ended, and which were abandoned.
    func sessions(_ filter: SessionFilter) async throws(EnergyError) -> SessionList {
        SessionList(
            sessions: try await store.sessions(ofVenue: filter.venueID, countMax: SessionList.countMax))
    }

    /// Copies the log as it is now, named by the time of day, without keeping anybody waiting.
    func backUp(into folder: String) async throws(EnergyError) -> LogBackup {
        let file = "\(folder)/events-\(clock.now.unixMilliseconds).sqlite"
        return LogBackup(file: file, bytes: try await store.backUp(to: file))
    }
}
