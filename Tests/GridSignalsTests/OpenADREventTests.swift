import EnergyModel
import GridSignals
import Testing

@Suite struct OpenADREventTests {
    static func event(
        _ intervals: String, period: String = #"{"start":"2026-07-01T00:00:00Z","duration":"PT1H"}"#,
        descriptors: String = #"[{"payloadType":"PRICE","units":"KWH","currency":"USD"}]"#
    ) throws -> OpenADREvent {
        try OpenADREvent(
            Array(
                """
                {"id":"1","objectType":"EVENT","programID":"p","priority":0,"modificationDateTime":"2026-06-30T12:00:00Z",
                 "intervalPeriod":\(period),"payloadDescriptors":\(descriptors),"intervals":[\(intervals)]}
                """.utf8))
    }

    @Test func `intervals follow each other, prices become millionths`() throws {
        let event = try Self.event(
            """
            {"id":0,"payloads":[{"type":"PRICE","values":[0.25]},{"type":"EXPORT_PRICE","values":[0.05]}]},
            {"id":1,"payloads":[{"type":"PRICE","values":[-0.1]},{"type":"SIMPLE","values":[2]}]},
            {"id":2,"intervalPeriod":{"start":"2026-07-01T06:00:00Z","duration":"PT30M"},
             "payloads":[{"type":"PRICE","values":[1]},{"type":"GHG","values":[410.5]}]}
            """)
        let prices = try event.points(of: .price, currency: "USD")
        #expect(prices.map(\.value) == [250_000, -100_000, 1_000_000])
        #expect(
            prices.map(\.interval.start.description) == [
                "2026-07-01T00:00:00Z", "2026-07-01T01:00:00Z", "2026-07-01T06:00:00Z",
            ])
        #expect(prices.map { $0.interval.milliseconds / 60_000 } == [60, 60, 30])
        #expect(try event.points(of: .price, currency: "USD", isExport: true).map(\.value) == [50_000])
        #expect(try event.points(of: .marginal, currency: nil).map(\.value) == [410.5])
        // For whoever plans demand response.
        #expect(event.entries.filter { $0.type == "SIMPLE" }.map(\.value) == [2])
        #expect(event.priority == 0)
        #expect(event.issued?.description == "2026-06-30T12:00:00Z")
    }

    @Test func `other currencies and units are told`() throws {
        let event = try Self.event(#"{"id":0,"payloads":[{"type":"PRICE","values":[0.25]}]}"#)
        #expect(throws: EnergyError.self) { try event.points(of: .price, currency: "EUR") }
        #expect(throws: EnergyError.self) { try event.points(of: .marginal, currency: nil) }
        let perMegawattHour = try Self.event(
            #"{"id":0,"payloads":[{"type":"PRICE","values":[250]}]}"#,
            descriptors: #"[{"payloadType":"PRICE","units":"MWH","currency":"USD"}]"#)
        #expect(try perMegawattHour.points(of: .price, currency: "USD").map(\.value) == [250_000])
        let other = try Self.event(
            #"{"id":0,"payloads":[{"type":"PRICE","values":[250]}]}"#,
            descriptors: #"[{"payloadType":"PRICE","units":"THERM"}]"#)
        #expect(throws: EnergyError.self) { try other.points(of: .price, currency: "USD") }
    }

    @Test func `days are cut into days, what repeats for ever is refused`() throws {
        let long = try Self.event(
            #"{"id":0,"payloads":[{"type":"PRICE","values":[1]}]}"#,
            period: #"{"start":"2026-07-01T00:00:00Z","duration":"P2DT12H"}"#)
        let hours = try long.points(of: .price, currency: "USD").map { $0.interval.milliseconds / 3_600_000 }
        #expect(hours == [24, 24, 12])
        #expect(throws: EnergyError.self) {
            try Self.event(
                #"{"id":0,"payloads":[{"type":"PRICE","values":[1]}]}"#,
                period: #"{"start":"2026-07-01T00:00:00Z","duration":"P9999Y"}"#)
        }
    }

    @Test func `a price that is no number is refused with its place, and not left out`() throws {
        let intervals = ["1", #""x""#].map { #"{"id":0,"payloads":[{"type":"PRICE","values":[\#($0)]}]}"# }
        let error = #expect(throws: EnergyError.self) {
            try Self.event(
                intervals.joined(separator: ","), period: #"{"start":"2026-07-01T00:00:00Z","duration":"PT1H"}"#)
        }
        #expect(error?.code == .invalidInput && error?.message.contains("intervals[1], PRICE") == true)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"intervals":1}"#, #"{"intervals":[{"payloads":[]}]}"#,
        #"{"intervalPeriod":{"start":"soon","duration":"PT1H"},"intervals":[]}"#,
        #"{"intervalPeriod":{"start":"2026-07-01T00:00:00Z","duration":"PT0S"},"intervals":[{"payloads":[]}]}"#,
        #"{"intervalPeriod":{"start":"9999-12-31T00:00:00Z","duration":"PT99999999S"},"intervals":[{"payloads":[]}]}"#,
    ])
    func `what is no event is refused, with its place`(text: String) {
        let error = #expect(throws: EnergyError.self) { try OpenADREvent(Array(text.utf8)) }
        #expect(error?.code == .invalidInput)
    }
}
