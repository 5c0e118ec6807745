import EnergyModel
import EnergyStore
import EnergyWire
import Foundation
import GuidancePublishing
import Testing

/// What is pushed, which source is in use, and why another is not.
@Suite struct SignalSourceTests {
    let store = InMemoryGuidanceStore()
    let wallClock = SettableClock(Parts.start)

    func pushed(_ source: String = "meter", kind: SignalKind = .averageDirect) -> PushedProvider {
        PushedProvider(
            source: source, region: "X", kind: kind, currency: kind == .price ? "EUR" : nil, store: store,
            wallClock: wallClock)
    }

    func started(_ providers: [any SignalProvider]) async throws -> Parts {
        let parts = Parts(
            GuidanceConfiguration(
                venues: [try Parts.home()], providers: ["X": providers],
                commonProviders: [FakeProvider("climatology", isTimeless: true, answer: Parts.byHour)]), store: store)
        try await parts.guidance.start()
        return parts
    }

    static func values(
        _ hours: Range<Int>, kind: SignalKind = .averageDirect, value: Double = 42, currency: String? = nil
    ) -> SignalValues {
        SignalValues(
            kind: kind, currency: currency,
            points: hours.map {
                SignalPoint(
                    interval: Interval(start: Parts.at(hours: Double($0)), milliseconds: .millisecondsPerHour),
                    value: value, isEstimated: true)
            })
    }

    static func push(_ values: SignalValues, source: String = "meter", region: String = "X") -> SignalPush {
        SignalPush(region: region, source: source, content: .values(values))
    }

    @Test func `what is pushed makes the guidance at once`() async throws {
        let parts = try await started([pushed()])
        #expect(try await parts.get().basis.source == "climatology")
        #expect(try await parts.get().basis.skippedSources == ["push:meter: nothing has been pushed yet"])
        let result = try await parts.guidance.put(Self.push(Self.values(0..<24)))
        #expect(result == SignalPushResult(source: "push:meter", count: 24))
        // As it is listed, too.
        #expect(try await parts.guidance.put(Self.push(Self.values(0..<24), source: "push:meter")) == result)
        let guidance = try await parts.get()
        #expect(guidance.basis.source == "push:meter")
        #expect(guidance.values.allSatisfy { $0.carbonIntensity == 42 })
    }

    @Test func `a source is tested: its newest value, how far ahead, or why there is none`() async throws {
        let broken = FakeProvider("broken") { _ throws(EnergyError) in throw EnergyError(.denied, "its key is wrong") }
        let parts = try await started([pushed(), broken])
        let silent = try await parts.guidance.test(SourceReference(region: "X", source: "push:meter"))
        #expect(!silent.isAsked && silent.newest == nil && silent.failure == .unavailable)
        #expect(silent.source.status.lastError == "nothing has been pushed yet")
        _ = try await parts.guidance.put(Self.push(Self.values(-2..<6)))
        let test = try await parts.guidance.test(SourceReference(region: "X", source: "push:meter"))
        #expect(test.source.status.isInUse && test.failure == nil)
        #expect(test.newest?.interval.start == Parts.start && test.newest?.value == 42)
        #expect(test.knownUntil == Parts.at(hours: 6))
        let refused = try await parts.guidance.test(SourceReference(region: "X", source: "broken"))
        #expect(refused.isAsked && refused.failure == .denied)
        #expect(refused.source.status.lastError == "its key is wrong")
        let usual = try await parts.guidance.test(SourceReference(region: "X", source: "climatology"))
        #expect(usual.isAsked && usual.newest != nil && usual.knownUntil == nil)
    }

    @Test(arguments: [("X", "nobody"), ("Atlantis", "climatology")])
    func `a source that is not there cannot be tested`(region: String, source: String) async throws {
        let parts = try await started([pushed()])
        let error = await #expect(throws: EnergyError.self) {
            try await parts.guidance.test(SourceReference(region: region, source: source))
        }
        #expect(error?.code == .notFound)
    }

    @Test func `what was pushed outlives the process, with its corrections`() async throws {
        let parts = try await started([pushed()])
        _ = try await parts.guidance.put(Self.push(Self.values(-3..<24)))
        _ = try await parts.guidance.put(Self.push(Self.values(-1..<2, value: 50)))
        // Another process, the same store.
        let whole = try #require(Interval(start: Parts.at(hours: -3), end: Parts.at(hours: 24)))
        let report = try await pushed().signals(region: "X", in: whole, now: Parts.start)
        #expect(report.series.points.map(\.value) == [42, 42, 50, 50, 50] + Array(repeating: 42, count: 22))
    }

    @Test func `a restart in the middle of an hour changes nothing of what was pushed`() async throws {
        wallClock.advance(byMilliseconds: 46 * .millisecondsPerMinute)
        let parts = Parts(
            GuidanceConfiguration(venues: [try Parts.home()], providers: ["X": [pushed()]]), store: store,
            now: wallClock.now)
        try await parts.guidance.start()
        _ = try await parts.guidance.put(Self.push(Self.values(0..<30)))
        let whole = try #require(Interval(start: Parts.start, end: Parts.at(hours: 30)))
        let again = pushed()
        let listed = await again.status()
        #expect(listed.lastError == nil, "nobody has asked it yet")
        let report = try await again.signals(region: "X", in: whole, now: wallClock.now)
        #expect(report.series.points == Self.values(0..<30).points)
        let next = Parts(
            GuidanceConfiguration(venues: [try Parts.home()], providers: ["X": [again]]), store: store,
            now: wallClock.now)
        try await next.guidance.start()
        #expect(try await next.get().values == parts.get().values)
    }

    @Test func `what has passed of the running hour needs no value`() async throws {
        let parts = Parts(
            GuidanceConfiguration(venues: [try Parts.home()], providers: ["X": [pushed()]]), store: store,
            now: Parts.at(hours: 0.7))
        try await parts.guidance.start()
        let cut = SignalPoint(
            interval: try #require(Interval(start: Parts.at(hours: 0.5), end: Parts.at(hours: 1))), value: 42,
            isEstimated: true)
        let values = SignalValues(kind: .averageDirect, points: [cut] + Self.values(1..<30).points)
        _ = try await parts.guidance.put(Self.push(values))
        let guidance = try await parts.get()
        #expect(guidance.interval.start == Parts.start && guidance.values.count == 24)
    }

    @Test func `prices that are pushed are no carbon`() async throws {
        let parts = try await started([pushed("market", kind: .price)])
        _ = try await parts.guidance.put(
            Self.push(Self.values(0..<24, kind: .price, value: -5_000, currency: "EUR"), source: "market"))
        let guidance = try await parts.get()
        #expect(guidance.basis.source == "climatology")
        #expect(guidance.basis.skippedSources.isEmpty)
    }

    @Test func `values that break a rule are refused, and nothing of them is taken`() async throws {
        let parts = try await started([pushed()])
        let hour = Interval(start: Parts.start, milliseconds: .millisecondsPerHour)
        func point(_ interval: Interval, _ value: Double = 1) -> SignalPoint {
            SignalPoint(interval: interval, value: value, isEstimated: false)
        }
        let wrong: [(SignalValues, String)] = [
            (SignalValues(kind: .marginal, points: [point(hour)]), "values.kind"),
            (SignalValues(kind: .averageDirect, currency: "EUR", points: [point(hour)]), "values.currency"),
            (SignalValues(kind: .averageDirect, points: []), "values.values"),
            (SignalValues(kind: .averageDirect, points: [point(hour, -1)]), "values.values[0]"),
            (SignalValues(kind: .averageDirect, points: [point(hour), point(hour)]), "values.values[1]"),
            (
                SignalValues(
                    kind: .averageDirect, points: [point(Interval(start: Parts.start, milliseconds: 999))]),
                "values.values[0]"
            ),
            (
                SignalValues(
                    kind: .averageDirect,
                    points: [point(Interval(start: Parts.at(hours: 24 * 15), milliseconds: 1_000))]),
                "values.values[0]"
            ),
        ]
        for (values, field) in wrong {
            let error = await #expect(throws: EnergyError.self) { try await parts.guidance.put(Self.push(values)) }
            #expect(error?.code == .invalidInput)
            #expect(error?.violations.first?.field == field)
        }
        #expect(try await parts.get().basis.source == "climatology")
    }

    @Test func `a source that is not configured takes nothing, and the refusal says which do`() async throws {
        let parts = try await started([pushed("a"), pushed("b")])
        for (push, words) in [
            (Self.push(Self.values(0..<1), source: "c"), "takes values for a, b, not \"c\""),
            (Self.push(Self.values(0..<1), source: ""), "takes values for a, b, not \"\""),
            (Self.push(Self.values(0..<1), region: "Y"), "no source of the region Y"),
        ] {
            let error = await #expect(throws: EnergyError.self) { try await parts.guidance.put(push) }
            #expect(error?.code == .notFound)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }

    @Test func `sources are listed in order of preference, with what is in use and why others are not`() async throws {
        let failing = FakeProvider("web") { _ throws(EnergyError) in
            throw EnergyError(.unavailable, "api.example answered 503")
        }
        let parts = try await started([failing, pushed()])
        _ = try await parts.guidance.put(Self.push(Self.values(0..<24)))
        let list = try await parts.guidance.listSources()
        let sources = list.sources
        #expect(sources.map(\.status.name) == ["web", "push:meter", "climatology"])
        #expect(sources.map(\.status.isInUse) == [false, true, false])
        #expect(sources[0].status.lastError == "api.example answered 503")
        #expect(sources[1].status.lastSuccess == Parts.start)
        #expect(sources.allSatisfy { $0.region == "X" })
        #expect(list.regions == ["X"])
    }
}
