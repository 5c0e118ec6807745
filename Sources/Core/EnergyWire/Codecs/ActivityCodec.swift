internal import EnergyModel
internal import EnergyProto

extension ActivityQuery: ProtoMessage {
    /// In the order of their bits, from the lowest.
    private static let kindOfBit: [Activity.Kind] = [.session, .plug, .charging, .waiting]

    func write(to proto: inout Energy__V1__ActivityQuery, _ arena: inout Arena) {
        proto.venue_id = arena.uuid(venueID)
        proto.device_id = arena.string(deviceID ?? "")
        for (bit, kind) in Self.kindOfBit.enumerated() where kinds.contains(kind) { proto.kinds |= 1 << UInt32(bit) }
        proto.range = arena.message(range)
    }

    init(reading proto: Energy__V1__ActivityQuery) throws(FieldError) {
        let bits = try proto.kinds.within(0...0b1111, "kinds")
        let kinds = Self.kindOfBit.enumerated().filter { bits >> UInt32($0.offset) & 1 != 0 }.map(\.element)
        self.init(
            venueID: try proto.venue_id.uuid("venue_id"),
            deviceID: try proto.device_id.deviceIDIfPresent("device_id"), kinds: Set(kinds),
            range: try proto.range.required("range"))
    }
}

extension ActivityPage: ProtoMessage {
    func write(to proto: inout Energy__V1__ActivityPage, _ arena: inout Arena) {
        (proto.n_entries, proto.entries) = arena.messages(entries)
        (proto.n_applied, proto.applied) = arena.messages(applied)
    }

    init(reading proto: Energy__V1__ActivityPage) throws(FieldError) {
        self.init(
            entries: try proto.entries.messages("entries", count: proto.n_entries, max: 10_000),
            applied: try proto.applied.messages("applied", count: proto.n_applied, max: LogPartition.count))
    }
}

extension ToldActivity: ProtoCoded {
    func write(to proto: inout Energy__V1__ActivityEntry, _ arena: inout Arena) {
        proto.id = arena.uuid(activity.id)
        proto.venue_id = arena.uuid(activity.venueID)
        proto.device = arena.message(activity.device)
        proto.time_unix_ms = activity.time.unixMilliseconds
        proto.text = arena.string(text)
        switch activity.content {
        case .session(let session):
            proto.content_case = ENERGY__V1__ACTIVITY_ENTRY__CONTENT_SESSION
            proto.session = arena.message(session)
        case .status(let status):
            proto.content_case = ENERGY__V1__ACTIVITY_ENTRY__CONTENT_STATUS
            proto.status = arena.message(status)
        }
    }

    init(reading proto: Energy__V1__ActivityEntry) throws(FieldError) {
        let content: Activity.Content
        switch proto.content_case {
        case ENERGY__V1__ACTIVITY_ENTRY__CONTENT_SESSION: content = .session(try proto.session.required("session"))
        case ENERGY__V1__ACTIVITY_ENTRY__CONTENT_STATUS: content = .status(try proto.status.required("status"))
        default: throw FieldError("content", "must be one of session, status", value: "absent")
        }
        self.init(
            activity: Activity(
                id: try proto.id.uuid("id"), venueID: try proto.venue_id.uuid("venue_id"),
                device: try proto.device.required("device"),
                time: try proto.time_unix_ms.timestamp("time_unix_ms"), content: content),
            text: try proto.text.string("text"))
    }
}
