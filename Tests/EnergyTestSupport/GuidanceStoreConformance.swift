public import EnergyModel
public import EnergyStore
public import Foundation
public import Testing

/// What every guidance store must do. Each check wants an empty store.
public enum GuidanceStoreConformance {
    public static let checks: [Check] = [
        Check("venues keep their revisions and are sorted by name", run: venues),
        Check("a home stands for one venue only", run: homes),
        Check("a removed venue stays with its past, without its homes", run: removal),
        Check("rate plans come back as they were put", run: ratePlans),
        Check("every term of a rate plan comes back", run: ratePlanTerms),
        Check("demand-response events come back by their time", run: demandResponse),
        Check("two changes at the same time conflict", run: sameTime),
        Check("what is expected is replaced, what has passed is not", run: signalsFreeze),
        Check("corrections are revisions", run: corrections),
        Check("a correction counts for all of its time", run: wholeCorrections),
        Check("how far a source was asked comes back", run: sourceProgress),
        Check("a refresh that says the same cuts nothing", run: sameAgain),
        Check("prices and carbon of a region do not touch each other", run: quantities),
        Check("the key of tokens and the numbers of venues stay", run: tokens),
        Check("forecasts come back until they are pruned", run: forecasts),
        Check("askers are remembered, the newest 256 of them", run: askers),
        Check("too many or too long records are refused", run: refusals),
    ]

    public struct Check: Sendable, CustomTestStringConvertible {
        public let name: String
        public let run: @Sendable (any GuidanceStore) async throws -> Void
        init(_ name: String, run: @escaping @Sendable (any GuidanceStore) async throws -> Void) {
            self.name = name
            self.run = run
        }
        public var testDescription: String { name }
    }

    public static let start = Timestamp(unixMilliseconds: 1_790_000_000_000)
        .floored(toMilliseconds: .millisecondsPerDay)

    public static func venue(_ name: String, id: UUID = UUID(), homes: [UUID] = [], changed: Timestamp = start) throws
        -> Venue
    {
        Venue(
            id: id, name: name, timeZone: try #require(TimeZone(identifier: "America/Los_Angeles")), region: "CISO",
            ratePlanID: "EV2-A", homeIDs: homes, priceWeight: 0.25, changed: changed)
    }

    public static func ratePlan(_ id: String, changed: Timestamp = start) throws -> RatePlan {
        RatePlan(
            id: id, name: "Home charging", currency: "USD",
            timeZone: try #require(TimeZone(identifier: "America/Los_Angeles")),
            zones: [
                RateZone(price: Price(microsPerKilowattHour: 310_000), peak: .offPeak),
                RateZone(
                    price: Price(microsPerKilowattHour: -5), peak: .criticalPeak, weekdays: 31, months: 0b111,
                    startMinute: 1320, endMinute: 330),
            ], changed: changed)
    }

    public static func record(
        hour: Int, minutes: Int = 60, _ carbon: Double, source: String = "climatology"
    ) -> SignalRecord {
        SignalRecord(
            interval: Interval(
                start: start.advanced(byMilliseconds: Int64(hour) * .millisecondsPerHour),
                milliseconds: Int64(minutes) * .millisecondsPerMinute),
            value: carbon, isEstimated: true, kind: .averageDirect, cleanliness: .cleaner, source: source)
    }

    public static let day = Interval(start: start, milliseconds: .millisecondsPerDay)
    public static func at(_ hour: Double) -> Timestamp {
        start.advanced(byMilliseconds: Int64(hour * Double(Int64.millisecondsPerHour)))
    }

    static func venues(_ store: any GuidanceStore) async throws {
        let (b, a) = (try venue("Barn"), try venue("Apartment", homes: [UUID(), UUID()]))
        try await store.putVenue(b)
        try await store.putVenue(a)
        #expect(try await store.venues() == [a, b])
        var moved = b
        moved.name = "Aardvark Barn"
        moved.region = "ERCO"
        moved.ratePlanID = nil
        moved.changed = at(1)
        try await store.putVenue(moved)
        #expect(try await store.venues() == [moved, a])
        #expect(try await store.venueRevisions(b.id) == [b, moved])
        #expect(try await store.venueRevisions(UUID()).isEmpty)
    }

    static func homes(_ store: any GuidanceStore) async throws {
        let home = UUID()
        let first = try venue("First", homes: [home])
        try await store.putVenue(first)
        let second = try venue("Second", homes: [home])
        let refusal = await #expect(throws: EnergyError.self) { try await store.putVenue(second) }
        #expect(refusal?.code == .conflict)
        #expect(refusal?.violations.first?.field == "venue.home_ids")
        #expect(try await store.venues() == [first])
        // Once the first gives it up, the second may have it.
        try await store.putVenue(try venue("First", id: first.id, changed: at(1)))
        try await store.putVenue(second)
        #expect(try await store.venues().count == 2)
    }

    static func removal(_ store: any GuidanceStore) async throws {
        let home = UUID()
        let first = try venue("First", homes: [home])
        try await store.putVenue(first)
        var removed = first
        removed.homeIDs = []
        (removed.changed, removed.removed) = (at(1), at(1))
        try await store.putVenue(removed)
        #expect(try await store.venues() == [removed])
        #expect(try await store.venueRevisions(first.id).map(\.removed) == [nil, at(1)])
        let second = try venue("Second", homes: [home], changed: at(2))
        try await store.putVenue(second)
        var back = removed
        (back.changed, back.removed) = (at(3), nil)
        try await store.putVenue(back)
        #expect(try await store.venues() == [back, second])
    }

    static func ratePlans(_ store: any GuidanceStore) async throws {
        let (b, a) = (try ratePlan("B"), try ratePlan("A"))
        try await store.putRatePlan(b)
        try await store.putRatePlan(a)
        #expect(try await store.ratePlans() == [a, b])
        var dearer = a
        dearer.zones[0].price = Price(microsPerKilowattHour: 999_999)
        dearer.changed = at(1)
        try await store.putRatePlan(dearer)
        #expect(try await store.ratePlans() == [dearer, b])
        #expect(try await store.ratePlanRevisions("A") == [a, dearer])
        #expect(try await store.ratePlanRevisions("C").isEmpty)
    }

    static func sameTime(_ store: any GuidanceStore) async throws {
        let id = UUID()
        try await store.putVenue(try venue("One", id: id))
        let again = await #expect(throws: EnergyError.self) { try await store.putVenue(try venue("Two", id: id)) }
        #expect(again?.code == .conflict)
        try await store.putRatePlan(try ratePlan("A"))
        let plan = await #expect(throws: EnergyError.self) { try await store.putRatePlan(try ratePlan("A")) }
        #expect(plan?.code == .conflict)
    }

    static func signalsFreeze(_ store: any GuidanceStore) async throws {
        let first = (0..<6).map { record(hour: $0, 100 + Double($0)) }
        try await store.recordSignals(first, region: "CISO", learned: start)
        try await store.recordSignals([record(hour: 0, 7)], region: "ERCO", learned: start)
        #expect(try await store.signals(region: "CISO", in: day, revision: .whenItHappened) == first)
        // At half past two another source says otherwise, of this hour too.
        let second = (2..<5).map { record(hour: $0, 200 + Double($0), source: "file") }
        try await store.recordSignals(second, region: "CISO", learned: at(2.5))
        let now = try await store.signals(region: "CISO", in: day, revision: .whenItHappened)
        #expect(now.map(\.value) == [100, 101, 102, 202, 203, 204])
        #expect(now.map(\.interval.start) == [at(0), at(1), at(2), at(2.5), at(3), at(4)])
        #expect(now.map(\.interval.end) == [at(1), at(2), at(2.5), at(3), at(4), at(5)])
        #expect(try await store.signals(region: "ERCO", in: day, revision: .whenItHappened).count == 1)
        let part = try #require(Interval(start: at(0.5), end: at(1)))
        #expect(try await store.signals(region: "CISO", in: part, revision: .newest) == [first[0]])
    }

    static func corrections(_ store: any GuidanceStore) async throws {
        try await store.recordSignals([record(hour: 0, 100), record(hour: 1, 110)], region: "CISO", learned: start)
        let corrected = [record(hour: 0, 90, source: "measured"), record(hour: 4, 95, source: "measured")]
        try await store.recordSignals(corrected, region: "CISO", learned: at(10))
        try await store.recordSignals(corrected, region: "CISO", learned: at(11))
        let known = try await store.signals(region: "CISO", in: day, revision: .whenItHappened)
        #expect(known.map(\.value) == [100, 110])
        let newest = try await store.signals(region: "CISO", in: day, revision: .newest)
        #expect(newest.map(\.value) == [90, 110, 95])
    }

    /// First heard of at half past, corrected as a whole, then again in halves.
    static func wholeCorrections(_ store: any GuidanceStore) async throws {
        try await store.recordSignals([record(hour: 0, 100), record(hour: 1, 110)], region: "CISO", learned: at(0.5))
        let measured = record(hour: 0, 90, source: "measured")
        try await store.recordSignals([measured], region: "CISO", learned: at(3))
        let newest = try await store.signals(region: "CISO", in: day, revision: .newest)
        #expect(newest == [measured, record(hour: 1, 110)])
        let known = try await store.signals(region: "CISO", in: day, revision: .whenItHappened)
        #expect(known.map(\.interval.start) == [at(0.5), at(1)])
        #expect(known.map(\.value) == [100, 110])
        // Another class alone is no correction, another value is.
        let reclassed = SignalRecord(
            interval: measured.interval, value: 90, isEstimated: true, kind: .averageDirect, cleanliness: .avoid,
            source: "measured")
        try await store.recordSignals([reclassed], region: "CISO", learned: at(4))
        #expect(try await store.signals(region: "CISO", in: day, revision: .newest).first == measured)
        let again = record(hour: 0, 80, source: "measured")
        try await store.recordSignals([again], region: "CISO", learned: at(5))
        #expect(try await store.signals(region: "CISO", in: day, revision: .newest).first == again)
        #expect(try await store.signals(region: "CISO", in: day, revision: .whenItHappened) == known)
        // The second half is corrected last, so it counts, though nothing of its start was recorded before.
        let half = SignalRecord(
            interval: Interval(start: at(0.5), milliseconds: .millisecondsPerHour / 2), value: 70,
            isEstimated: again.isEstimated, kind: again.kind, cleanliness: .unknown, source: "measured")
        for hours in [6.0, 7] {
            try await store.recordSignals([half], region: "CISO", learned: at(hours))
            let parts = try await store.signals(region: "CISO", in: day, revision: .newest)
            #expect(parts.map(\.value) == [80, 70, 110])
            #expect(parts.map(\.interval.start) == [at(0), at(0.5), at(1)])
        }
        // The hour as it was before is news once more.
        try await store.recordSignals([again], region: "CISO", learned: at(8))
        #expect(try await store.signals(region: "CISO", in: day, revision: .newest).first == again)
    }

    static func sourceProgress(_ store: any GuidanceStore) async throws {
        #expect(try await store.sourceProgress("a") == nil)
        let whole = SourceProgress(reached: at(3))
        let partly = SourceProgress(reached: at(4), missing: Interval(start: at(0), end: at(1)))
        try await store.putSourceProgress(whole, source: "a")
        try await store.putSourceProgress(partly, source: "b")
        #expect(try await store.sourceProgress("a") == whole)
        #expect(try await store.sourceProgress("b") == partly)
        try await store.putSourceProgress(whole, source: "b")
        #expect(try await store.sourceProgress("b") == whole)
    }

    static func sameAgain(_ store: any GuidanceStore) async throws {
        let records = (0..<3).map { record(hour: $0, 100) }
        for minutes in stride(from: 0.0, to: 60, by: 5) {
            try await store.recordSignals(records, region: "CISO", learned: at(minutes / 60))
        }
        #expect(try await store.signals(region: "CISO", in: day, revision: .whenItHappened) == records)
    }

    static func quantities(_ store: any GuidanceStore) async throws {
        func price(_ hour: Int, _ micros: Double) -> SignalRecord {
            SignalRecord(
                interval: record(hour: hour, 0).interval, value: micros, isEstimated: false, kind: .price,
                cleanliness: .unknown, source: "market", issued: at(-1), currency: "EUR")
        }
        let carbon = [record(hour: 0, 100), record(hour: 1, 110)]
        let prices = [price(0, -250_000), price(1, 310_000), price(2, 320_000)]
        try await store.recordSignals(carbon, region: "CISO", learned: start)
        try await store.recordSignals(prices, region: "CISO", learned: start)
        try await store.recordSignals([], region: "CISO", learned: start)
        #expect(try await store.signals(region: "CISO", in: day, revision: .newest) == carbon)
        #expect(try await store.signals(.price, region: "CISO", in: day, revision: .newest) == prices)
        // A correction of a price is a revision, and says when it was issued.
        let corrected = SignalRecord(
            interval: prices[0].interval, value: -240_000, isEstimated: false, kind: .price, cleanliness: .unknown,
            source: "market", issued: at(9), currency: "EUR")
        try await store.recordSignals([corrected], region: "CISO", learned: at(10))
        let newest = try await store.signals(.price, region: "CISO", in: day, revision: .newest)
        #expect(newest.first == corrected)
        #expect(try await store.signals(.price, region: "CISO", in: day, revision: .whenItHappened) == prices)
        await #expect(throws: EnergyError.self) {
            try await store.recordSignals(carbon + prices, region: "CISO", learned: start)
        }
    }

    static func tokens(_ store: any GuidanceStore) async throws {
        let key = [UInt8](0..<32)
        #expect(try await store.tokenKey(orNew: key) == key)
        #expect(try await store.tokenKey(orNew: [UInt8](1..<33)) == key)
        // A venue keeps its number, whatever becomes of it.
        let (a, b) = (try venue("A"), try venue("B"))
        let first = try await store.putVenue(a)
        let second = try await store.putVenue(b)
        #expect(first >= 1 && second >= 1 && first != second)
        var removed = a
        (removed.changed, removed.removed) = (at(1), at(1))
        #expect(try await store.putVenue(removed) == first)
        #expect(try await store.venueNumbers() == [a.id: first, b.id: second])
    }

    static func forecasts(_ store: any GuidanceStore) async throws {
        func issue(_ day: Double, _ value: Double) throws -> ForecastIssue {
            try #require(
                ForecastIssue(
                    interval: Interval(start: at(day * 24), milliseconds: .millisecondsPerDay),
                    values: [value, 2.5, -1]))
        }
        try await store.addForecast(try issue(1, 7), source: "a", region: "X")
        try await store.addForecast(try issue(0, 1), source: "a", region: "X")
        try await store.addForecast(try issue(0, 3), source: "a", region: "Y")
        try await store.addForecast(try issue(0, 4), source: "a", region: "X")
        #expect(
            try await store.forecasts() == [
                StoredForecast(source: "a", region: "X", issue: try issue(0, 4)),
                StoredForecast(source: "a", region: "Y", issue: try issue(0, 3)),
                StoredForecast(source: "a", region: "X", issue: try issue(1, 7)),
            ])
        try await store.recordSignals([record(hour: 0, 1), record(hour: 5, 2)], region: "CISO", learned: start)
        try await store.prune(forecastsBefore: at(1), signalsBefore: at(2))
        #expect(try await store.forecasts().map(\.issue) == [try issue(1, 7)])
        #expect(try await store.signals(region: "CISO", in: day, revision: .newest).count == 1)
    }

    static func askers(_ store: any GuidanceStore) async throws {
        let (home, other) = (UUID(), UUID())
        try await store.addAsker("car", venueID: home, at: start)
        try await store.addAsker("boiler", venueID: home, at: start)
        try await store.addAsker("car", venueID: home, at: at(1))
        #expect(try await store.askers(venueID: home) == ["boiler", "car"])
        #expect(try await store.askers(venueID: other).isEmpty)
        for index in 0..<GuidanceLimits.askersMax {
            try await store.addAsker("p\(index)", venueID: home, at: at(2 + Double(index)))
        }
        let askers = try await store.askers(venueID: home)
        #expect(askers.count == GuidanceLimits.askersMax)
        #expect(!askers.contains("boiler") && !askers.contains("car"))
    }

    static func refusals(_ store: any GuidanceStore) async throws {
        let many = (0...GuidanceLimits.signalRecordsMax).map { record(hour: $0, 1) }
        let tooMany = await #expect(throws: EnergyError.self) {
            try await store.recordSignals(many, region: "CISO", learned: start)
        }
        #expect(tooMany?.code == .invalidInput)
        let tooLong = await #expect(throws: EnergyError.self) {
            try await store.recordSignals([record(hour: 0, minutes: 1441, 1)], region: "CISO", learned: start)
        }
        #expect(tooLong?.code == .invalidInput)
    }
}
