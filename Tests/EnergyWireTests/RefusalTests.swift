import EnergyModel
import Foundation
import Testing

@testable import EnergyWire

@Suite struct `What a message may not hold is refused by its field's name` {
    @Test func `the list's index and the path lead to the field`() throws {
        let good = event()
        let bad = event(load: [.message(1, [.bytes(1, [1, 2, 3, 4])])])
        let error = try refusal { () throws(EnergyError) in
            _ = try EventBatch(
                decoding: ([.message(1, good), .message(1, good), .message(1, good), .message(1, bad)] as WireBytes)
                    .bytes)
        }
        #expect(
            error.violations == [
                RuleViolation(
                    index: 3, field: "vehicle_load.session.id", rule: "must be a UUID of 16 bytes", value: "4 bytes")
            ])
        #expect(error.message == "events[3].vehicle_load.session.id must be a UUID of 16 bytes, but is 4 bytes")
    }

    @Test func `a long value is cut, and says how long it was`() {
        let error = FieldError("name", "must be short", value: String(repeating: "x", count: 5_000)).asEnergyError
        #expect(error.violations.first?.value == String(repeating: "x", count: 100) + "... (5000 characters)")
    }

    @Test func `a list inside a list keeps its name and index`() throws {
        let record: WireBytes = [.uuid(3), .message(6, event()), .message(6, [.uuid(1)])]
        let error = try refusal { () throws(EnergyError) in
            _ = try LogPage(decoding: ([.message(1, record)] as WireBytes).bytes)
        }
        #expect(error.violations.first?.index == 0)
        #expect(error.violations.first?.field == "events[1].venue_id")
    }

    @Test(
        arguments: [[0x61, 0, 0x62], [0], [0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0x61, 0xf0, 0x9f]] as [[UInt8]])
    func `a text with a NUL, or that is not UTF-8, is refused`(utf8: [UInt8]) throws {
        let device: WireBytes = [.bytes(1, utf8), .string(2, "car"), .varint(3, 1 as UInt64)]
        try expectRefusal(of: EventBatch.self, [.message(1, event(device: device))], "device.id", "UTF-8 without NUL")
    }

    @Test func `an empty text is empty, given or not`() throws {
        #expect(try HealthCheckRequest(decoding: []).service == "")
        #expect(try HealthCheckRequest(decoding: ([.string(1, "")] as WireBytes).bytes).service == "")
    }

    @Test(arguments: [String(repeating: "x", count: 65), " car", "car/1", "é"])
    func `a question about what no device can be called is refused`(id: String) throws {
        let range: WireBytes = [.varint(1, 0 as Int64), .varint(2, 1 as Int64)]
        let rule = "1 to 64 letters, digits, spaces, hyphens or apostrophes"
        try expectRefusal(
            of: InsightQuery.self, [.uuid(1), .string(2, id), .message(3, range), .varint(4, 1 as UInt64)], "device_id",
            rule)
        try expectRefusal(of: ScheduleFilter.self, [.uuid(1), .string(2, id)], "device_id", rule)
    }

    @Test func `a grouping that is not known is refused, and none is the venue`() throws {
        let range: WireBytes = [.varint(1, 0 as Int64), .varint(2, 1 as Int64)]
        let query: WireBytes = [
            .uuid(1), .message(3, range), .varint(4, 1 as UInt64), .varint(5, 1 as UInt64),
        ]
        #expect(try InsightQuery(decoding: query.bytes).grouping == .venue)
        let unknown: WireBytes = [query, .varint(10, 99 as UInt64)]
        try expectRefusal(of: InsightQuery.self, unknown, "grouping", "INSIGHT_GROUPING_VENUE")
    }

    @Test(arguments: [-1, 253_402_300_800_000, .min, .max] as [Int64])
    func `a time outside the years 1970 to 9999 is refused`(milliseconds: Int64) throws {
        let bytes: WireBytes = [.message(1, event(timestamp: milliseconds))]
        try expectRefusal(of: EventBatch.self, bytes, "timestamp_unix_ms", "within the years 1970 to 9999")
    }

    @Test(arguments: [(0, 0), (1, 0), (-1, 1), (0, .max)] as [(Int64, Int64)])
    func `an interval that ends before it begins, or too late, is refused`(start: Int64, end: Int64) throws {
        let interval: WireBytes = [.varint(1, start), .varint(2, end)]
        let error = try refusal { () throws(EnergyError) in
            _ = try SignalHistoryRequest(decoding: ([.uuid(1), .message(2, interval)] as WireBytes).bytes)
        }
        #expect(error.violations.first?.field.hasPrefix("interval.") == true)
    }

    @Test(arguments: [0, 3, 99, UInt64.max]) func `an unknown value of an enum is refused`(value: UInt64) throws {
        try expectRefusal(
            of: GuidanceRequest.self, [.uuid(1), .varint(2, value)], "action",
            "must be one of SUGGESTED_ACTION_SHIFT, SUGGESTED_ACTION_REDUCE")
    }

    @Test(arguments: [0, 7, 99, UInt64.max]) func `or reads as unknown, where there is that`(value: UInt64) throws {
        let zone: WireBytes = [.varint(2, value), .varint(6, 60 as UInt64)]
        #expect(try RatePlan(decoding: ratePlan(zones: [.message(5, zone)]).bytes).zones.first?.peak == .unknown)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity]) func `a number that is none is refused`(value: Double) throws
    {
        let traits: WireBytes = [.double(3, value)]
        let bytes: WireBytes = [.message(1, device()), .uuid(2), .message(3, traits)]
        try expectRefusal(of: ManagedDevice.self, bytes, "vehicle.efficiency", "must be finite")
    }

    @Test(arguments: [Int64.min, .max, 1 << 53 + 1]) func `an amount beyond 2^53 is refused`(value: Int64) throws {
        let bytes: WireBytes = [
            .message(1, event(load: [.message(1, session()), .varint(3, 1 as UInt64), .varint(5, value)]))
        ]
        try expectRefusal(of: EventBatch.self, bytes, "vehicle_load.energy_mwh", "2^53")
    }

    @Test(
        arguments: [
            (3, 3, "idle_reason", "CHARGING_STATUS_IDLE"), (4, 2, "active_reason", "CHARGING_STATUS_ACTIVE"),
            (1, 2, "active_reason", "CHARGING_STATUS_ACTIVE"), (2, 3, "idle_reason", "CHARGING_STATUS_IDLE"),
        ] as [(UInt64, UInt64, String, String)])
    func `a reason of another status is refused`(status: UInt64, field: UInt64, name: String, rule: String) throws {
        // A reason of its own does not make the other right.
        let own: WireBytes = status == 3 ? [.varint(2, 1 as UInt64)] : status == 4 ? [.varint(3, 1 as UInt64)] : []
        let content: WireBytes = [.varint(1, status), own, .varint(field, 1 as UInt64), .varint(4, 50 as UInt64)]
        let bytes: WireBytes = [
            .message(
                1, [.uuid(1), .varint(2, 0 as Int64), .uuid(3), .message(4, device()), .message(12, content)])
        ]
        try expectRefusal(
            of: EventBatch.self, bytes, "vehicle_status.\(name)", "must be absent unless status is \(rule)")
    }

    @Test(arguments: [-1, Power.range.upperBound + 1, .max]) func `a power that no home has is refused`(value: Int64)
        throws
    {
        let bytes: WireBytes = [.message(1, device()), .uuid(2), .message(3, [.varint(2, value)])]
        try expectRefusal(of: ManagedDevice.self, bytes, "vehicle.power_max_mw", "1,000,000,000 mW")
    }

    @Test(arguments: [
        "", "PST", "EST", "Foo/Bar", "../../etc/passwd", "GMT+5", "/etc/localtime", "america/los_angeles",
    ])
    func `a time zone that IANA does not know is refused`(name: String) throws {
        try expectRefusal(
            of: VenueDraft.self, [.message(1, [.string(2, "Home"), .string(3, name)])], "venue.time_zone", "IANA")
    }

    @Test(arguments: ["", "EU", "EURO", "eur", "€€€"]) func `a currency has three capital letters`(code: String) throws
    {
        try expectRefusal(of: RatePlan.self, ratePlan(currency: code), "currency", "ISO 4217")
    }

    @Test(
        arguments: [
            (3, 128, "weekdays"), (4, 4096, "months"), (5, 1440, "start_minute"), (6, 1441, "end_minute"),
            (6, 0, "end_minute"),
        ] as [(UInt64, UInt64, String)])
    func `a rate zone stays within the week, the year and the day`(field: UInt64, value: UInt64, name: String) throws {
        let zone: WireBytes = [.varint(6, 60 as UInt64), .varint(field, value)]
        let error = try refusal { () throws(EnergyError) in
            _ = try RatePlan(decoding: ratePlan(zones: [.message(5, zone)]).bytes)
        }
        #expect(error.violations.first?.index == 0)
        #expect(error.violations.first?.field == name)
    }

    @Test(arguments: [16, UInt64(UInt32.max)]) func `there is no seventeenth partition`(partition: UInt64) throws {
        try expectRefusal(of: LogPosition.self, [.varint(1, partition)], "partition", "must be 0 to 15")
    }

    @Test func `a choice must be made`() throws {
        let empty: WireBytes = [.uuid(1), .uuid(3), .message(4, device())]
        try expectRefusal(of: EventBatch.self, [.message(1, empty)], "content", "vehicle_load")
        try expectRefusal(of: GoalDraft.self, [.message(1, [.uuid(2)])], "goal.target", "energy_mwh")
        try expectRefusal(of: VenueReference.self, [], "id", "or home_id must be present")
        try expectRefusal(of: VenueReference.self, [.uuid(1), .uuid(2)], "id", "must be absent with home_id")
    }

    @Test func `a list that is too long is refused`() throws {
        try expectRefusal(of: EventBatch.self, .repeated(1_001, .message(1, event())), "events", "at most 1000")
        try expectRefusal(
            of: RatePlan.self, ratePlan(zones: .repeated(201, .message(5, [.varint(6, 60 as UInt64)]))), "zones",
            "at most 200")
        try expectRefusal(
            of: VenueDraft.self,
            [.message(1, [.string(3, "UTC"), .repeated(17, .uuid(6))])], "venue.home_ids", "at most 16")
    }

    // Valid parts, each with room for one that is not.

    private func device() -> WireBytes { [.string(1, "car"), .string(2, "Car"), .varint(3, 1 as UInt64)] }
    private func session() -> WireBytes { [.uuid(1), .varint(2, 1 as UInt64), .uuid(4)] }
    private func event(timestamp: Int64 = 0, device: WireBytes? = nil, load: WireBytes? = nil) -> WireBytes {
        let load = load ?? [.message(1, session()), .varint(3, 1 as UInt64)]
        return [
            .uuid(1), .varint(2, timestamp), .uuid(3), .message(4, device ?? self.device()), .message(10, load),
        ]
    }
    private func ratePlan(currency: String = "EUR", zones: WireBytes = []) -> WireBytes {
        [.string(1, "plan"), .string(3, currency), .string(4, "Europe/Paris"), zones]
    }

    private func expectRefusal<Message: WireMessage>(
        of _: Message.Type, _ bytes: WireBytes, _ field: String, _ rule: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let error = try refusal { () throws(EnergyError) in _ = try Message(decoding: bytes.bytes) }
        let violation = try #require(error.violations.first, sourceLocation: sourceLocation)
        #expect(error.violations.count == 1, sourceLocation: sourceLocation)
        #expect(violation.field == field, sourceLocation: sourceLocation)
        #expect(violation.rule.contains(rule), "\(violation)", sourceLocation: sourceLocation)
    }

    private func refusal(_ decode: () throws(EnergyError) -> Void) throws -> EnergyError {
        let error = try #require(throws: EnergyError.self) { try decode() }
        #expect(error.code == .invalidInput)
        return error
    }
}
