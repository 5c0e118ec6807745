import EnergyModel
import Foundation
import Testing

struct SessionSegmentTests {
    private let venueID = UUID()
    private let sessionID = UUID()
    private static let quarter = InsightBucket.milliseconds

    @Test func `energy without known power is spread evenly, and the formal zeros of begin and end say nothing`() throws
    {
        let segments = try segments([(0, .begin, 0, 0), (2 * Self.quarter, .end, 0, 1_001)])
        #expect(segments.count == 1)
        let shares = segments[0].shares(terms: TermsTimeline())
        #expect(shares.map(\.tally.amount.energy.milliwattHours) == [501, 500])
        #expect(shares.map(\.tally.amount.runtimeMilliseconds) == [Self.quarter, Self.quarter])
        #expect(shares.allSatisfy { $0.class == .unknown })
    }

    @Test func `energy between two known powers follows the line between them`() throws {
        let segments = try segments([(0, .active, 0, 0), (2 * Self.quarter, .active, 8_000_000, 4_000)])
        // From 0 to full power: the first half holds a quarter of the energy.
        #expect(segments[0].shares(terms: TermsTimeline()).map(\.tally.amount.energy.milliwattHours) == [1_000, 3_000])
    }

    /// By fractions, in another language.
    @Test func `energy along powers of any size is split to the mWh`() throws {
        let segments = try segments([(0, .active, 7_403_089, 0), (33_135_036, .active, 9_802_215, 53_032_517)])
        #expect(
            segments[0].shares(terms: TermsTimeline()).map(\.tally.amount.energy.milliwattHours) == [
                1_245_045, 1_255_956, 1_266_868, 1_277_779, 1_288_690, 1_299_601, 1_310_513, 1_321_424, 1_332_335,
                1_343_246, 1_354_157, 1_365_069, 1_375_980, 1_386_891, 1_397_802, 1_408_713, 1_419_625, 1_430_536,
                1_441_447, 1_452_358, 1_463_269, 1_474_181, 1_485_092, 1_496_003, 1_506_914, 1_517_826, 1_528_737,
                1_539_648, 1_550_559, 1_561_470, 1_572_382, 1_583_293, 1_594_204, 1_605_115, 1_616_026, 1_626_938,
                1_336_825,
            ])
    }

    @Test func `an edge of the other direction's price cuts nothing`() throws {
        func terms(export: Int64, until end: Int64) -> (Interval, InsightTerms) {
            let known = InsightClass(cleanliness: .cleaner, peak: .offPeak, currency: "EUR")
            return (
                Interval(start: Timestamp(unixMilliseconds: 0), milliseconds: end),
                InsightTerms(
                    imported: known, exported: known, importPriceMicros: 5, exportPriceMicros: export,
                    carbonMilligramsPerKilowattHour: 0)
            )
        }
        var timeline = TermsTimeline()
        for (interval, terms) in [
            terms(export: 1, until: 100_000), terms(export: 2, until: 200_000), terms(export: 3, until: Self.quarter),
        ] { timeline.append(interval, terms) }
        let segments = try segments([(0, .begin, 0, 0), (Self.quarter, .end, 0, 1_000)])
        #expect(timeline.spans.count == 3)
        #expect(segments[0].shares(terms: timeline).map(\.tally.amount.energy.milliwattHours) == [1_000])
    }

    @Test func `pieces are cut at the edges of classes`() throws {
        let edge = Timestamp(unixMilliseconds: 5 * .millisecondsPerMinute)
        let timeline = TermsTimeline([signal(0, edge.unixMilliseconds, .cleaner, .offPeak)])
        let segments = try segments([(0, .begin, 0, 0), (10 * .millisecondsPerMinute, .end, 0, 100)])
        let shares = segments[0].shares(terms: timeline)
        #expect(
            shares.map(\.class.cleanliness) == [.cleaner, .unknown])
        #expect(shares.map(\.class.peak) == [.offPeak, .unknown])
        #expect(shares.map(\.tally.amount.energy.milliwattHours) == [50, 50])
    }

    @Test func `energy that came in an instant goes whole into its bucket`() throws {
        let segments = try segments([(Self.quarter, .active, 0, 0), (Self.quarter, .active, 0, 7)])
        let shares = segments[0].shares(terms: TermsTimeline())
        #expect(shares.count == 1)
        #expect(shares[0].quarter.unixMilliseconds == Self.quarter)
        #expect(shares[0].tally.amount == InsightAmount(energy: Energy(milliwattHours: 7), runtimeMilliseconds: 0))
    }

    @Test func `a vehicle runs while power was above 0 or energy grew`() throws {
        let minute = Int64.millisecondsPerMinute
        let segments = try segments([
            (0, .begin, 0, 0), (minute, .active, 5_000, 0), (2 * minute, .active, 0, 0), (3 * minute, .active, 0, 0),
            (4 * minute, .end, 0, 9),
        ])
        #expect(segments.map(\.start.unixMilliseconds) == [minute, 3 * minute])
        #expect(segments.map(\.isRunning) == [true, true])
    }

    @Test func `a heat pump runs from a stage above 0 to the next event`() throws {
        let stages = [(0, Session.State.begin, 0), (1_000, .active, 40), (5_000, .active, 0), (9_000, .end, 0)]
        var progress: CountedSession?
        var segments: [SessionSegment] = []
        for (time, state, stage) in stages {
            let event = event(Int64(time), .hvacLoad(HVACLoad(session: session(state), stage: stage)))
            let result = try #require(CountedSession.following(progress, event))
            progress = result.progress
            if let segment = result.segment { segments.append(segment) }
        }
        #expect(segments.map(\.start.unixMilliseconds) == [1_000])
        #expect(segments.map(\.end.unixMilliseconds) == [5_000])
        #expect(segments[0].energy == .zero)
    }

    @Test func `what follows the end is ignored, and energy is never taken back`() throws {
        let late = try segments([(0, .begin, 0, 0), (1, .end, 0, 10), (2, .active, 0, 99)])
        #expect(late.map(\.energy.milliwattHours) == [10])
        let falling = try segments([(0, .begin, 0, 0), (1, .active, 0, 10), (2, .active, 0, 5), (3, .end, 0, 12)])
        #expect(falling.map(\.energy.milliwattHours) == [10, 2])
    }

    @Test func `an event older than the last says nothing about how the session goes on`() throws {
        let segments = try segments([
            (0, .begin, 0, 0), (10, .active, 0, 100), (5, .active, 7_000_000, 50), (20, .active, 0, 100),
        ])
        #expect(segments.map(\.end.unixMilliseconds) == [10])
    }

    @Test func `a long silence is counted in its last 14 days`() throws {
        let end = 400 * Int64.millisecondsPerDay
        let segments = try segments([(0, .begin, 0, 0), (end, .end, 0, 1_000_000)])
        #expect(segments[0].start.unixMilliseconds == end - 14 * .millisecondsPerDay)
        let shares = segments[0].shares(terms: TermsTimeline())
        #expect(shares.reduce(0) { $0 + $1.tally.amount.energy.milliwattHours } == 1_000_000)
    }

    @Test(arguments: [Int64.min, -1, Int64.max])
    func `times and amounts outside all limits neither trap nor lose energy`(extreme: Int64) throws {
        let segments = try segments([
            (0, .begin, extreme, extreme), (extreme, .active, extreme, extreme), (5, .end, 0, 7),
        ])
        let shares = segments.flatMap { $0.shares(terms: TermsTimeline()) }
        let expected = max(7, min(max(0, extreme), Energy.range.upperBound))
        #expect(shares.reduce(0) { $0 + $1.tally.amount.energy.milliwattHours } == expected)
    }

    private func segments(_ events: [(Int64, Session.State, power: Int64, energy: Int64)]) throws -> [SessionSegment] {
        var progress: CountedSession?
        var segments: [SessionSegment] = []
        for (time, state, power, energy) in events {
            let load = VehicleLoad(
                session: session(state), stateOfCharge: 50, direction: .imported, powerMilliwatts: power,
                energyMilliwattHours: energy)
            guard let result = CountedSession.following(progress, event(time, .vehicleLoad(load))) else { continue }
            progress = result.progress
            if let segment = result.segment { segments.append(segment) }
        }
        return segments
    }

    private func session(_ state: Session.State) -> Session {
        Session(id: sessionID, state: state, wasFollowingGuidance: false, guidanceToken: UUID())
    }

    private func event(_ time: Int64, _ content: Event.Content) -> Event {
        Event(
            id: UUID(), timestamp: Timestamp(unixMilliseconds: time), venueID: venueID,
            device: Device(id: "car", name: "Car", kind: .electricVehicle), content: content)
    }

    private func signal(_ start: Int64, _ end: Int64, _ cleanliness: Cleanliness, _ peak: TariffPeak) -> SignalInterval
    {
        SignalInterval(
            interval: Interval(start: Timestamp(unixMilliseconds: start), milliseconds: end - start),
            carbonIntensity: 1, kind: .marginal, price: nil, currency: nil, cleanliness: cleanliness, peak: peak,
            isEstimated: false, source: "test")
    }
}
