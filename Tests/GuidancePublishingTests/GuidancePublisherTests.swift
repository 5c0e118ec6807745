import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import GuidancePublishing
import Testing

@Suite struct GuidancePublisherTests {
    static func configuration(
        plans: [RatePlan] = [], venue: VenueDraft? = nil, _ providers: any SignalProvider...
    ) throws -> GuidanceConfiguration {
        GuidanceConfiguration(ratePlans: plans, venues: [try venue ?? Parts.home()], commonProviders: providers)
    }

    @Test func `guidance covers now and the 24 hours from the running step`() async throws {
        let parts = Parts(try Self.configuration(FakeProvider("a", isTimeless: true, answer: Parts.byHour)))
        parts.advance(minutes: 20)
        try await parts.guidance.start()
        let guidance = try await parts.get()
        #expect(guidance.interval == Interval(start: Parts.start, milliseconds: .millisecondsPerDay))
        #expect(guidance.values.count == 24)
        #expect(guidance.values.map(\.rating) == guidance.values.map(\.rating).sorted())
        #expect(guidance.values.first?.carbonIntensity == 100)
        #expect(guidance.issued == parts.wallClock.now)
        #expect(!guidance.locationHasRatePlan && !guidance.incorporatesRatePlan)
        #expect(guidance.basis.source == "a" && guidance.basis.method == RatingMethod.name)
        #expect(guidance.basis.priceWeight == 0 && guidance.basis.currency == nil && !guidance.basis.isForecast)
    }

    @Test func `both actions of every venue are published at the start, on their topics`() async throws {
        var configuration = try Self.configuration(FakeProvider("a", isTimeless: true, answer: Parts.byHour))
        configuration.venues.append(try Parts.home("Barn"))
        let parts = Parts(configuration)
        try await parts.guidance.start()
        try await parts.guidance.start()
        let topics = try await parts.guidance.listVenues().venues.flatMap { venue in
            SuggestedAction.allCases.map { Topics.guidance(venueID: venue.id, action: $0) }
        }
        #expect(Set(parts.published.published.map(\.topic)) == Set(topics))
        #expect(parts.published.published.count == 4)
        #expect(Set(parts.published.published.map(\.token)).count == 4)
        // What is served is what was published.
        #expect(parts.published.published.map(\.token).contains(try await parts.get().token.uuidString))
        #expect(await parts.guidance.problem == nil)
    }

    @Test func `goes out at the start, then at the top of each hour`() async throws {
        let (stream, sink) = AsyncStream<Void>.makeStream()
        var configuration = try Self.configuration(FakeProvider("a", isTimeless: true, answer: Parts.byHour))
        configuration.checkInterval = .seconds(7200)
        let parts = Parts(configuration, now: Parts.at(hours: 0.75), onPublish: { sink.yield() })
        let task = Task { try await parts.guidance.run() }
        var publications = stream.makeAsyncIterator()
        for minutes in [15, 60, 60] as [Int64] {
            for _ in SuggestedAction.allCases { await publications.next() }
            await parts.clock.waitForSleepers()
            #expect(parts.published.take().count == 2)
            parts.advance(minutes: minutes)
            parts.clock.advance(by: .seconds(minutes * 60))
        }
        for _ in SuggestedAction.allCases { await publications.next() }
        #expect(try await parts.get().interval.start == Parts.at(hours: 3))
        task.cancel()
        try await task.value
    }

    @Test func `between the hours only what moved by more than the hysteresis is published`() async throws {
        let provider = FakeProvider("a", isTimeless: true, answer: Parts.byHour)
        let parts = Parts(try Self.configuration(provider))
        try await parts.guidance.start()
        let first = try await parts.get()
        _ = parts.published.take()
        parts.advance(minutes: 5)
        await parts.guidance.refresh()
        provider.say { start throws(EnergyError) in try Parts.byHour(start).map { $0 * 1.001 } }
        await parts.guidance.refresh()
        #expect(parts.published.take().isEmpty)
        #expect(try await parts.get().token == first.token)
        // The afternoon turns clean.
        provider.say { start throws(EnergyError) in try Parts.byHour(start).map { 500 - $0 } }
        await parts.guidance.refresh()
        #expect(parts.published.take().count == 2)
        #expect(try await parts.get().token != first.token)
    }

    @Test func `price and carbon are blended, and values are cut at tariff edges`() async throws {
        let parts = Parts(
            try Self.configuration(
                plans: [try Parts.plan(from: 990)], venue: try Parts.home(plan: "A"),
                FakeProvider("a", isTimeless: true, answer: { _ throws(EnergyError) in 300 })))
        try await parts.guidance.start()
        let guidance = try await parts.get()
        #expect(guidance.locationHasRatePlan && guidance.incorporatesRatePlan)
        #expect(guidance.basis.priceWeight == 0.5 && guidance.basis.currency == "USD")
        #expect(guidance.values.count == 25)
        // Midnight UTC is 17:00 in Los Angeles: four hours of on-peak are left, and half an hour comes tomorrow.
        let dear = guidance.values.filter { $0.price?.microsPerKilowattHour == 600_000 }
        #expect(dear.reduce(0) { $0 + $1.interval.milliseconds } == 9 * .millisecondsPerHour / 2)
        let cheap = guidance.values.filter { $0.price?.microsPerKilowattHour == 200_000 }
        #expect(Set(dear.map(\.rating)).count == 1 && Set(cheap.map(\.rating)).count == 1)
        #expect(try #require(dear.first).rating > 0.9)
        #expect(try #require(cheap.first).rating < 0.5)
    }

    @Test func `a critical peak of the contract is rated 1`() async throws {
        let parts = Parts(
            try Self.configuration(
                plans: [try Parts.plan(peak: .criticalPeak)], venue: try Parts.home(plan: "A"),
                FakeProvider("a", isTimeless: true, answer: Parts.byHour)))
        try await parts.guidance.start()
        for action in SuggestedAction.allCases {
            let values = try await parts.get(action).values
            #expect(values.prefix(4).allSatisfy { $0.rating == 1 })
        }
    }

    @Test func `the next source serves when the better one cannot, and the reason is told`() async throws {
        let old = Parts.start.advanced(byMilliseconds: -1786 * .millisecondsPerDay)
        let parts = Parts(
            try Self.configuration(
                FakeProvider("file:old.csv", newest: old, answer: { _ throws(EnergyError) in nil }),
                FakeProvider(
                    "broken", answer: { _ throws(EnergyError) in throw EnergyError(.unavailable, "no route") }),
                FakeProvider("young", newest: Parts.start) { start throws(EnergyError) in
                    start < Parts.start && start >= Parts.at(hours: -48) ? 100 : nil
                }, FakeProvider("climatology", isTimeless: true, answer: Parts.byHour)))
        try await parts.guidance.start()
        let basis = try await parts.get().basis
        #expect(basis.source == "climatology")
        #expect(
            basis.skippedSources == [
                "file:old.csv: newest value is 1,786 days old", "broken: no route",
                "young: has no value for now, and fewer than 7 days of history to predict one",
            ])
    }

    @Test func `where every source is of the past it is said what helps, and not to try again`() async throws {
        let old = Parts.start.advanced(byMilliseconds: -12 * .millisecondsPerDay)
        let file = FakeProvider("file:old.csv", newest: old) { _ throws(EnergyError) in nil }
        let away = FakeProvider("away") { _ throws(EnergyError) in throw EnergyError(.unavailable, "no route") }
        let elsewhere = FakeProvider("elsewhere") { _ throws(EnergyError) in throw EnergyError(.notFound, "no") }
        func refusal(_ providers: FakeProvider...) async throws -> EnergyError? {
            let configuration = GuidanceConfiguration(
                venues: [try Parts.home()], providers: [try Parts.home().region: providers])
            let parts = Parts(configuration)
            try await parts.guidance.start()
            return await #expect(throws: EnergyError.self) { try await parts.get() }
        }
        let past = try await refusal(file, elsewhere)
        #expect(past?.code == .unavailable && past?.retryAfterMilliseconds == nil)
        #expect(
            past?.message.hasSuffix(
                "file:old.csv: newest value is 12 days old; elsewhere: no. Push a value for now, or give the region a "
                    + "source that has one") == true, "\(past?.message ?? "")")
        let mixed = try await refusal(file, away)
        #expect(mixed?.retryAfterMilliseconds == 60_000)
        #expect(mixed?.message.hasSuffix("away: no route") == true, "\(mixed?.message ?? "")")
    }

    @Test func `a measured source is forecast from its own month`() async throws {
        let newest = Parts.at(hours: -30)
        let parts = Parts(
            try Self.configuration(
                FakeProvider("measured", newest: newest) { start throws(EnergyError) in
                    start < newest ? try Parts.byHour(start) : nil
                }))
        try await parts.guidance.start()
        let guidance = try await parts.get()
        #expect(guidance.basis.isForecast)
        #expect(guidance.basis.dataAgeMilliseconds == 30 * .millisecondsPerHour)
        #expect(guidance.values.compactMap(\.carbonIntensity) == (0..<24).map { Double($0) * 10 + 100 })
        // A clean month behind a clean day: reduce sees the same order.
        #expect(try await parts.get(.reduce).values.map(\.rating).isSorted)
    }

    @Test func `the window ends where the data end`() async throws {
        let parts = Parts(
            try Self.configuration(
                FakeProvider("short") { start throws(EnergyError) in
                    Parts.start <= start && start < Parts.at(hours: 10) ? 100 : nil
                }))
        try await parts.guidance.start()
        #expect(try await parts.get().interval == Interval(start: Parts.start, milliseconds: 10 * .millisecondsPerHour))
    }

    @Test func `without any signal the answer is unavailable, and heals by itself`() async throws {
        let provider = FakeProvider("a", isTimeless: true) { _ throws(EnergyError) in
            throw EnergyError(.unavailable, "down")
        }
        let parts = Parts(try Self.configuration(provider))
        try await parts.guidance.start()
        let error = await #expect(throws: EnergyError.self) { try await parts.get() }
        #expect(error?.code == .unavailable && error?.message.contains("a: down") == true)
        #expect(await parts.guidance.problem?.contains("1 of 1 venues") == true)
        provider.say(Parts.byHour)
        #expect(try await parts.get().values.count == 24)
        #expect(await parts.guidance.problem == nil)
    }

    @Test func `work is done once per region, not per venue`() async throws {
        let provider = FakeProvider("a", isTimeless: true, answer: Parts.byHour)
        let parts = Parts(
            GuidanceConfiguration(
                venues: try (0..<50).map { try Parts.home("Home \($0)") }, commonProviders: [provider]))
        try await parts.guidance.start()
        #expect(provider.timesAsked == 1)
        #expect(parts.published.published.count == 100)
    }

    @Test func `requests that meet do not make guidance twice`() async throws {
        let parts = Parts(try Self.configuration(FakeProvider("a", isTimeless: true, answer: Parts.byHour)))
        try await parts.guidance.start()
        parts.advance(minutes: 150)
        _ = parts.published.take()
        let tokens = try await withThrowingTaskGroup(of: UUID.self) { group in
            for _ in 0..<20 { group.addTask { try await parts.get().token } }
            return try await group.reduce(into: Set<UUID>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1)
        #expect(parts.published.take().count == 2)
    }
}

extension Array where Element: Comparable {
    var isSorted: Bool { zip(self, dropFirst()).allSatisfy { $0 <= $1 } }
}
