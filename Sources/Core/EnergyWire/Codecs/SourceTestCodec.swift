internal import EnergyModel
internal import EnergyProto
internal import EnergyTransport

extension SourceReference: ProtoMessage {
    func write(to proto: inout Energy__V1__TestSourceRequest, _ arena: inout Arena) {
        proto.region = arena.string(region)
        proto.source = arena.string(source)
    }

    init(reading proto: Energy__V1__TestSourceRequest) throws(FieldError) {
        self.init(region: try proto.region.string("region"), source: try proto.source.string("source"))
    }
}

extension SourceTest: ProtoMessage {
    func write(to proto: inout Energy__V1__TestSourceReply, _ arena: inout Arena) {
        proto.source = arena.message(source)
        proto.asked = isAsked.proto
        let quantity = source.status.kind.quantity
        proto.newest = newest.map { arena.message(SignalValues.Value(point: $0, quantity: quantity)) }
        if let knownUntil {
            proto._known_until_unix_ms_case =
                ENERGY__V1__TEST_SOURCE_REPLY___KNOWN_UNTIL_UNIX_MS_KNOWN_UNTIL_UNIX_MS
            proto.known_until_unix_ms = knownUntil.unixMilliseconds
        }
        proto.failure = failure.map { CallFailure(EnergyError($0, "")).code.rawValue } ?? 0
    }

    init(reading proto: Energy__V1__TestSourceReply) throws(FieldError) {
        let source: RegionSource = try proto.source.required("source")
        let newest: SignalValues.Value? = try proto.newest.ifPresent("newest")
        if let newest, newest.quantity != source.status.kind.quantity {
            throw FieldError("newest", "must be of the source's kind", value: "another")
        }
        self.init(
            source: source, isAsked: proto.asked != 0, newest: newest?.point,
            knownUntil: proto._known_until_unix_ms_case.rawValue == 0
                ? nil : try proto.known_until_unix_ms.timestamp("known_until_unix_ms"),
            // A code that is not known is a failure all the same.
            failure: proto.failure == 0
                ? nil : EnergyError(CallFailure(StatusCode(rawValue: proto.failure) ?? .unknown, "")).code)
    }
}
