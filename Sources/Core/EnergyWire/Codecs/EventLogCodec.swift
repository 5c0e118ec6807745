internal import EnergyModel
internal import EnergyProto

extension EventBatch: ProtoMessage {
    func write(to proto: inout Energy__V1__SubmitEventsRequest, _ arena: inout Arena) {
        (proto.n_events, proto.events) = arena.messages(events)
    }

    init(reading proto: Energy__V1__SubmitEventsRequest) throws(FieldError) {
        self.init(events: try proto.events.messages("events", count: proto.n_events, max: EventBatch.eventsMax))
    }
}

extension SubmitResult: ProtoMessage {
    func write(to proto: inout Energy__V1__SubmitEventsReply, _ arena: inout Arena) {
        proto.accepted = UInt32(clamping: accepted)
        proto.duplicates = UInt32(clamping: duplicates)
    }

    init(reading proto: Energy__V1__SubmitEventsReply) throws(FieldError) {
        self.init(accepted: Int(proto.accepted), duplicates: Int(proto.duplicates))
    }
}

extension LogRecord: ProtoMessage {
    func write(to proto: inout Energy__V1__LogRecord, _ arena: inout Arena) {
        proto.partition = UInt32(clamping: partition)
        proto.sequence = sequence
        proto.venue_id = arena.uuid(venueID)
        proto.received_unix_ms = received.unixMilliseconds
        proto.principal = arena.string(principal)
        (proto.n_events, proto.events) = arena.messages(events)
    }

    init(reading proto: Energy__V1__LogRecord) throws(FieldError) {
        self.init(
            partition: try proto.partition.partition("partition"),
            sequence: proto.sequence,
            venueID: try proto.venue_id.uuid("venue_id"),
            received: try proto.received_unix_ms.timestamp("received_unix_ms"),
            principal: try proto.principal.string("principal"),
            events: try proto.events.messages("events", count: proto.n_events, max: EventBatch.eventsMax))
    }
}

extension LogPosition: ProtoMessage {
    func write(to proto: inout Energy__V1__ReadLogRequest, _ arena: inout Arena) {
        proto.partition = UInt32(clamping: partition)
        proto.after_sequence = afterSequence
        if !reader.isEmpty { proto.reader = arena.string(reader) }
    }

    init(reading proto: Energy__V1__ReadLogRequest) throws(FieldError) {
        self.init(
            partition: try proto.partition.partition("partition"), afterSequence: proto.after_sequence,
            reader: try proto.reader.string("reader"))
    }
}

extension LogPage: ProtoMessage {
    func write(to proto: inout Energy__V1__LogPage, _ arena: inout Arena) {
        (proto.n_records, proto.records) = arena.messages(records)
    }

    init(reading proto: Energy__V1__LogPage) throws(FieldError) {
        self.init(records: try proto.records.messages("records", count: proto.n_records, max: 10_000))
    }
}

extension LogHead: ProtoCoded {
    func write(to proto: inout Energy__V1__LogHead, _ arena: inout Arena) {
        proto.partition = UInt32(clamping: partition)
        proto.sequence = sequence
        proto.removed_sequence = removedSequence
    }

    init(reading proto: Energy__V1__LogHead) throws(FieldError) {
        self.init(
            partition: try proto.partition.partition("partition"), sequence: proto.sequence,
            removedSequence: proto.removed_sequence)
    }
}

extension LogBackup: ProtoMessage {
    func write(to proto: inout Energy__V1__LogBackup, _ arena: inout Arena) {
        proto.file = arena.string(file)
        proto.bytes = UInt64(clamping: bytes)
    }

    init(reading proto: Energy__V1__LogBackup) throws(FieldError) {
        self.init(file: try proto.file.string("file"), bytes: Int(clamping: proto.bytes))
    }
}

extension LogHeads: ProtoMessage {
    func write(to proto: inout Energy__V1__LogHeads, _ arena: inout Arena) {
        (proto.n_heads, proto.heads) = arena.messages(heads)
    }

    init(reading proto: Energy__V1__LogHeads) throws(FieldError) {
        self.init(heads: try proto.heads.messages("heads", count: proto.n_heads, max: LogPartition.count))
    }
}
