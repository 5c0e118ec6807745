internal import EnergyModel
internal import EnergyProto

extension DataSubject: ProtoMessage {
    func write(to proto: inout Energy__V1__DataSubject, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
        if let deviceID { proto.device_id = arena.string(deviceID) }
    }

    init(reading proto: Energy__V1__DataSubject) throws(FieldError) {
        let deviceID = try proto.device_id.string("device_id")
        self.init(venueID: try proto.venue_id.uuid("venue_id"), deviceID: deviceID.isEmpty ? nil : deviceID)
    }
}

extension StoredDocument: ProtoCoded {
    func write(to proto: inout Energy__V1__StoredDocument, _ arena: inout Arena) {
        proto.kind = arena.string(kind)
        proto.json = arena.string(json)
    }

    init(reading proto: Energy__V1__StoredDocument) throws(FieldError) {
        self.init(kind: try proto.kind.string("kind"), json: try proto.json.string("json"))
    }
}

extension ExportPage: ProtoMessage {
    func write(to proto: inout Energy__V1__ExportPage, _ arena: inout Arena) {
        (proto.n_documents, proto.documents) = arena.messages(documents)
    }

    init(reading proto: Energy__V1__ExportPage) throws(FieldError) {
        self.init(documents: try proto.documents.messages("documents", count: proto.n_documents, max: 10_000))
    }
}

extension ErasureReceipt: ProtoMessage {
    func write(to proto: inout Energy__V1__ErasureReceipt, _ arena: inout Arena) {
        proto.service = arena.string(service)
        proto.subject = arena.message(subject)
        proto.erased_unix_ms = erased.unixMilliseconds
        (proto.n_counts, proto.counts) = arena.messages(counts)
        if let records { proto.records = arena.message(records) }
    }

    init(reading proto: Energy__V1__ErasureReceipt) throws(FieldError) {
        self.init(
            service: try proto.service.string("service"),
            subject: try proto.subject.required("subject"),
            erased: try proto.erased_unix_ms.timestamp("erased_unix_ms"),
            counts: try proto.counts.messages("counts", count: proto.n_counts, max: 100),
            records: try proto.records.ifPresent("records"))
    }
}

extension ErasedCount: ProtoCoded {
    func write(to proto: inout Energy__V1__ErasedCount, _ arena: inout Arena) {
        proto.kind = arena.string(kind)
        proto.count = UInt64(clamping: count)
    }

    init(reading proto: Energy__V1__ErasedCount) throws(FieldError) {
        self.init(kind: try proto.kind.string("kind"), count: Int(clamping: proto.count))
    }
}

extension ErasedRecords: ProtoCoded {
    func write(to proto: inout Energy__V1__ErasedRecords, _ arena: inout Arena) {
        proto.partition = UInt32(clamping: partition)
        (proto.n_sequences, proto.sequences) = arena.numbers(sequences)
        proto.count = UInt64(clamping: count)
        proto.sha256 = arena.bytes(hash)
        proto.erasure_sequence = erasureSequence
        proto.unreadable = UInt64(clamping: unreadable)
    }

    init(reading proto: Energy__V1__ErasedRecords) throws(FieldError) {
        self.init(
            partition: try proto.partition.partition("partition"),
            sequences: try proto.sequences.list(
                "sequences", count: proto.n_sequences, max: ErasedRecords.sequencesMax
            ) { (sequence: UInt64) throws(FieldError) in sequence },
            count: Int(clamping: proto.count),
            hash: proto.sha256.bytes,
            erasureSequence: proto.erasure_sequence, unreadable: Int(clamping: proto.unreadable))
    }
}

extension Erasure: ProtoCoded {
    func write(to proto: inout Energy__V1__Erasure, _ arena: inout Arena) {
        if let device { proto.device = arena.message(device) }
    }

    init(reading proto: Energy__V1__Erasure) throws(FieldError) {
        self.init(device: try proto.device.ifPresent("device"))
    }
}

extension Erasure.Device: ProtoCoded {
    func write(to proto: inout Energy__V1__ErasedDevice, _ arena: inout Arena) {
        proto.salt = salt
        proto.digest = digest
    }

    init(reading proto: Energy__V1__ErasedDevice) throws(FieldError) {
        self.init(salt: proto.salt, digest: proto.digest)
    }
}
