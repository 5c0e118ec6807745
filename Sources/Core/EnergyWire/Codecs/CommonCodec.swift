internal import EnergyModel
internal import EnergyProto

extension Empty: ProtoMessage {
    func write(to proto: inout Energy__V1__Empty, _ arena: inout Arena) {}

    init(reading proto: Energy__V1__Empty) throws(FieldError) { self.init() }
}

extension Interval: ProtoCoded {
    func write(to proto: inout Energy__V1__Interval, _ arena: inout Arena) {
        proto.start_unix_ms = start.unixMilliseconds
        proto.end_unix_ms = end.unixMilliseconds
    }

    init(reading proto: Energy__V1__Interval) throws(FieldError) {
        let start = try proto.start_unix_ms.timestamp("start_unix_ms")
        let end = try proto.end_unix_ms.timestamp("end_unix_ms")
        guard let interval = Interval(start: start, end: end) else {
            throw FieldError("end_unix_ms", "must be after start_unix_ms", value: "\(end.unixMilliseconds)")
        }
        self = interval
    }
}

extension Device: ProtoCoded {
    func write(to proto: inout Energy__V1__Device, _ arena: inout Arena) {
        proto.id = arena.string(id)
        proto.name = arena.string(name)
        proto.type = kind.proto()
    }

    init(reading proto: Energy__V1__Device) throws(FieldError) {
        self.init(
            id: try proto.id.string("id"),
            name: try proto.name.string("name"),
            kind: try proto.type.value("type"))
    }
}
