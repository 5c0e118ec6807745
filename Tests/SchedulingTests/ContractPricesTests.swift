import EnergyModel
import EnergyPlanning
import EnergyTestSupport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

/// ``EventSamples/now`` is a Sunday at 04:00 in Los Angeles; a week later the clocks go forward.
struct `What a contract says beyond guidance` {
    private static let zone = SchedulerWorld.venue.timeZone

    /// 0.20 a kWh, and 0.40 from 16:00 to 21:00 from Monday to Friday.
    private static let contract = RatePlan(
        id: "evenings", name: "Evenings", currency: "USD", timeZone: zone,
        zones: [
            RateZone(price: Price(microsPerKilowattHour: 200_000), peak: .offPeak),
            RateZone(
                price: Price(microsPerKilowattHour: 400_000), peak: .onPeak, weekdays: 0b001_1111,
                startMinute: 16 * 60, endMinute: 21 * 60),
        ], changed: EventSamples.now)

    /// Of a day from now on, rated by the prices that the contract has then.
    private static func guidance(
        from start: Timestamp = EventSamples.now, hours: Int64 = 24, hasRatePlan: Bool = true, isPriced: Bool = true
    ) -> Guidance {
        let day = Interval(start: start, milliseconds: hours * .millisecondsPerHour)
        let values = contract.priced(day).map { part in
            GuidanceValue(
                interval: part.interval, rating: part.peak == .onPeak ? 0.9 : 0.1,
                price: isPriced ? part.price : nil)
        }
        return Guidance(
            token: UUID(), venueID: EventSamples.venueID, action: .shift, interval: day, values: values,
            locationHasRatePlan: hasRatePlan, incorporatesRatePlan: hasRatePlan, issued: start,
            basis: GuidanceBasis(
                source: "test", kind: .averageDirect, method: "test", priceWeight: 1, currency: "USD"))
    }

    private static func timeline(
        _ guidance: Guidance, _ contract: RatePlan? = contract, days: Int64 = 9
    ) throws -> PlanTimeline {
        var settings = VenueSettings(objective: PlanObjective(money: 1, carbon: 0, rating: 0))
        settings.contract = contract
        let window = Interval(start: EventSamples.now, milliseconds: days * .millisecondsPerDay)
        return PlanTimeline(window, by: guidance, settings, in: zone)
    }

    /// Of the slots that are dear: when each run of them begins and ends, local.
    private static func dear(_ timeline: PlanTimeline) -> [String] {
        let dear = timeline.slots.filter { $0.importPrice > 0.3 }.map(\.interval)
        let runs = dear.reduce(into: [(Timestamp, Timestamp)]()) { runs, next in
            if let last = runs.last, last.1 == next.start {
                runs[runs.count - 1].1 = next.end
            } else {
                runs.append((next.start, next.end))
            }
        }
        let text = LocalTimeText(timeZone: zone, now: EventSamples.now)
        return runs.map { "\(text.time($0.0))-\(text.time($0.1))" }
    }

    @Test(arguments: [24, 6])
    func `is taken as it is: by the weekday, on the local clock, and no dearer the further ahead`(hours: Int64) throws {
        let known = try Self.timeline(Self.guidance(hours: hours))
        #expect(
            Self.dear(known) == [
                "Mon 16:00-Mon 21:00", "Tue 16:00-Tue 21:00", "Wed 16:00-Wed 21:00", "Thu 16:00-Thu 21:00",
                "Fri 16:00-Fri 21:00", "Mon 9 Mar 16:00-Mon 9 Mar 21:00",
            ])
        #expect(Set(known.slots.map(\.importPrice)) == [0.2, 0.4])
        #expect(
            known.slots.last?.interval.end
                == known.slots.first?.interval.start.advanced(byMilliseconds: 9 * .millisecondsPerDay))
    }

    @Test func `says what is rated alike: what costs the same`() throws {
        // Issued on a Monday; the next day whose evening is cheap is a Saturday.
        let monday = EventSamples.now.advanced(byMilliseconds: .millisecondsPerDay)
        let timeline = try Self.timeline(Self.guidance(from: monday))
        func rating(_ day: Int64, _ hour: Int64) -> Double? {
            // Counted from 04:00 on Sunday.
            let time = EventSamples.now.advanced(
                byMilliseconds: day * .millisecondsPerDay + (hour - 4) * .millisecondsPerHour)
            return timeline.slots.first { $0.interval.contains(time) }?.rating
        }
        let (friday, saturday) = (try #require(rating(5, 17)), try #require(rating(6, 17)))
        #expect(abs(friday - 0.9) < 1e-9)
        // Drawn to the worst by the days it is ahead, as at any hour that costs as much.
        #expect(rating(6, 12).map { abs($0 - saturday) < 1e-9 } == true)
        #expect(saturday < 0.5)
    }

    @Test func `is a forecast where it passes on prices that nobody has said yet`() throws {
        var passing = Self.contract
        passing.priceSource = "exchange"
        let (guessed, passed) = (try Self.timeline(Self.guidance(), nil), try Self.timeline(Self.guidance(), passing))
        #expect(passed.slots.map(\.importPrice) == guessed.slots.map(\.importPrice))
    }

    @Test func `counts for nothing where guidance has no prices`() throws {
        let timeline = try Self.timeline(Self.guidance(isPriced: false))
        #expect(!timeline.hasPrices)
        #expect(timeline.slots.allSatisfy { $0.importPrice == 0 })
    }

    /// What it costs to charge 6 kWh on Monday from 15:30 on, half an hour before it gets dear, told as micros.
    private static func cost(_ world: SchedulerWorld, hasRatePlan: Bool = true) async throws -> Int64? {
        let guidance = guidance(hasRatePlan: hasRatePlan)
        await world.scheduler.receive(guidance, .init(venueID: EventSamples.venueID, action: .shift))
        _ = try await world.scheduler.put(SchedulerWorld.car)
        let away = Interval(start: world.hours(-1), end: world.hours(35.5))
        _ = try await world.scheduler.put(
            RulesDraft(
                venueID: EventSamples.venueID, deviceID: EventSamples.car.id,
                rules: ChargingRules(absences: [.once(try #require(away))])))
        let draft = GoalDraft(
            venueID: EventSamples.venueID, deviceID: EventSamples.car.id, readyBy: world.hours(36.75),
            target: .energy(Energy(milliwattHours: 6_000_000)))
        return try await world.scheduler.preview(draft).planned.costMicros
    }

    @Test func `is asked for where a goal reaches beyond, once for each guidance`() async throws {
        let world = try await SchedulerWorld()
        world.setContract(Self.contract)
        for _ in 0..<2 { #expect(try await Self.cost(world) == 1_800_000) }
        // The venue may have another contract by the next guidance; of one issued before the last was asked for it is the same.
        #expect(world.guidanceService.calls.count { $0 == Methods.getVenue.name } == 3)
        #expect(world.guidanceService.calls.count { $0 == Methods.listRatePlans.name } == 1)
    }

    @Test func `is a forecast where it cannot be had, or there is none`() async throws {
        let world = try await SchedulerWorld()
        // As on Sunday.
        #expect(try await Self.cost(world) == 1_200_000)
        world.setContract(Self.contract)
        #expect(try await Self.cost(world, hasRatePlan: false) == 1_200_000)
        #expect(try await Self.cost(world) == 1_800_000)
        // What was known stays known.
        world.setContract(nil)
        #expect(try await Self.cost(world) == 1_800_000)
    }
}
