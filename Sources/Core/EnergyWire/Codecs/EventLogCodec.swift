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
        if let checksum {
            proto._checksum_case = ENERGY__V1__LOG_RECORD___CHECKSUM_CHECKSUM
            proto.checksum = checksum
        }
        if let erasure { proto.erasure = arena.message(erasure) }
    }

    init(reading proto: Energy__V1__LogRecord) throws(FieldError) {
        self.init(
            partition: try proto.partition.partition("partition"),
            sequence: proto.sequence,
            venueID: try proto.venue_id.uuid("venue_id"),
            received: try proto.received_unix_ms.timestamp("received_unix_ms"),
            principal: try proto.principal.string("principal"),
            events: try proto.events.messages("events", count: proto.n_events, max: EventBatch.eventsMax),
            checksum: proto._checksum_case.rawValue == 0 ? nil : proto.checksum,
            erasure: try proto.erasure.ifPresent("erasure"))
    }
}

extension LogPosition: ProtoMessage {
    func write(to proto: inout Energy__V1__ReadLogRequest, _ arena: inout Arena) {
        proto.partition = UInt32(clamping: partition)
        proto.after_sequence = afterSequence
        if !reader.isEmpty { proto.reader = arena.string(reader) }
        proto.log_id = arena.uuid(logID)
        if let afterChecksum {
            proto._after_checksum_case = ENERGY__V1__READ_LOG_REQUEST___AFTER_CHECKSUM_AFTER_CHECKSUM
            proto.after_checksum = afterChecksum
        }
    }

    init(reading proto: Energy__V1__ReadLogRequest) throws(FieldError) {
        self.init(
            partition: try proto.partition.partition("partition"), afterSequence: proto.after_sequence,
            reader: try proto.reader.string("reader"), logID: try proto.log_id.uuidIfPresent("log_id"),
            afterChecksum: proto._after_checksum_case.rawValue == 0 ? nil : proto.after_checksum)
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
        if let checksum {
            proto._checksum_case = ENERGY__V1__LOG_HEAD___CHECKSUM_CHECKSUM
            proto.checksum = checksum
        }
    }

    init(reading proto: Energy__V1__LogHead) throws(FieldError) {
        self.init(
            partition: try proto.partition.partition("partition"), sequence: proto.sequence,
            removedSequence: proto.removed_sequence,
            checksum: proto._checksum_case.rawValue == 0 ? nil : proto.checksum)
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
        proto.log_id = arena.uuid(logID)
    }

    init(reading proto: Energy__V1__LogHeads) throws(FieldError) {
        self.init(
            heads: try proto.heads.messages("heads", count: proto.n_heads, max: LogPartition.count),
            logID: try proto.log_id.uuidIfPresent("log_id"))
    }
}

extension LogReaderState: ProtoCoded {
    func write(to proto: inout Energy__V1__LogReader, _ arena: inout Arena) {
        proto.name = arena.string(name)
        (proto.n_handled, proto.handled) = arena.messages(handled)
        proto.last_seen_unix_ms = lastSeen.unixMilliseconds
        proto.is_given_up = isGivenUp ? 1 : 0
    }

    init(reading proto: Energy__V1__LogReader) throws(FieldError) {
        self.init(
            name: try proto.name.string("name"),
            handled: try proto.handled.messages("handled", count: proto.n_handled, max: LogPartition.count),
            lastSeen: try proto.last_seen_unix_ms.timestamp("last_seen_unix_ms"), isGivenUp: proto.is_given_up != 0)
    }
}

extension LogReaderList: ProtoMessage {
    func write(to proto: inout Energy__V1__LogReaders, _ arena: inout Arena) {
        (proto.n_readers, proto.readers) = arena.messages(readers)
    }

    init(reading proto: Energy__V1__LogReaders) throws(FieldError) {
        self.init(readers: try proto.readers.messages("readers", count: proto.n_readers, max: 1_000))
    }
}

extension LogReaderReference: ProtoMessage {
    func write(to proto: inout Energy__V1__RemoveReaderRequest, _ arena: inout Arena) {
        proto.name = arena.string(name)
    }

    init(reading proto: Energy__V1__RemoveReaderRequest) throws(FieldError) {
        self.init(name: try proto.name.string("name"))
    }
}

extension SessionFilter: ProtoMessage {
    func write(to proto: inout Energy__V1__SessionsRequest, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
    }

    init(reading proto: Energy__V1__SessionsRequest) throws(FieldError) {
        self.init(venueID: try proto.venue_id.uuid("venue_id"))
    }
}

extension SessionProgress: ProtoCoded {
    func write(to proto: inout Energy__V1__SessionProgress, _ arena: inout Arena) {
        proto.id = arena.uuid(id)
        proto.venue_id = arena.uuid(venueID)
        proto.device_id = arena.string(deviceID)
        proto.device_type = kind.proto()
        if let direction { proto.direction = direction.proto() }
        proto.began_unix_ms = began.unixMilliseconds
        proto.last_unix_ms = last.unixMilliseconds
        proto.energy_mwh = energyMilliwattHours
        proto.is_ended = isEnded ? 1 : 0
        proto.is_abandoned = isAbandoned ? 1 : 0
    }

    init(reading proto: Energy__V1__SessionProgress) throws(FieldError) {
        self.init(
            id: try proto.id.uuid("id"), venueID: try proto.venue_id.uuid("venue_id"),
            deviceID: try proto.device_id.string("device_id"), kind: try proto.device_type.value("device_type"),
            direction: proto.direction.rawValue == 0 ? nil : try proto.direction.value("direction"),
            began: try proto.began_unix_ms.timestamp("began_unix_ms"),
            last: try proto.last_unix_ms.timestamp("last_unix_ms"),
            energyMilliwattHours: try proto.energy_mwh.bounded("energy_mwh"), isEnded: proto.is_ended != 0,
            isAbandoned: proto.is_abandoned != 0)
    }
}

extension SessionList: ProtoMessage {
    func write(to proto: inout Energy__V1__SessionList, _ arena: inout Arena) {
        (proto.n_sessions, proto.sessions) = arena.messages(sessions)
    }

    init(reading proto: Energy__V1__SessionList) throws(FieldError) {
        self.init(
            sessions: try proto.sessions.messages("sessions", count: proto.n_sessions, max: SessionList.countMax))
    }
}
