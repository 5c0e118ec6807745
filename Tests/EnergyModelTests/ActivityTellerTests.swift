import EnergyModel
import Foundation
import Testing

struct ActivityTellerTests {
    private let venueID = UUID()
    private static let berlin = TimeZone(identifier: "Europe/Berlin")!

    private func time(_ text: String) throws -> Timestamp { Timestamp(try Date(text, strategy: .iso8601)) }

    private func told(
        _ status: VehicleStatus.Status, at now: String, start: String? = nil, ready: String? = nil, percent: Int = 100,
        in zone: TimeZone = berlin
    ) throws -> String {
        let now = try time(now)
        let target =
            start == nil && ready == nil
            ? nil
            : ChargingTarget(
                stateOfCharge: percent, estimatedCompletion: try ready.map(time) ?? now,
                scheduledStart: try start.map(time) ?? now)
        let activity = Activity(
            id: UUID(), venueID: venueID, device: Device(id: "car-1", name: "Car", kind: .electricVehicle), time: now,
            content: .status(
                VehicleStatus(status: status, stateOfCharge: 40, energyMilliwattHours: 0, target: target)))
        return ActivityTeller(in: zone).text(activity)
    }

    @Test func `who waits is told until when`() throws {
        #expect(
            try told(
                .idle(.waitingForCleanerEnergy), at: "2026-11-20T21:00:00Z", start: "2026-11-21T00:15:00Z",
                ready: "2026-11-21T05:40:00Z") == "Waiting for cleaner energy: starts 01:15, ready by 06:40")
        #expect(
            try told(
                .idle(.demandResponseActive), at: "2026-11-20T21:00:00Z", ready: "2026-11-22T05:40:00Z", percent: 80)
                == "Waiting: the grid asks to use less, 80 % by Sun 06:40")
        #expect(
            try told(.idle(.userPaused), at: "2026-11-20T21:00:00Z", start: "2026-12-01T00:15:00Z")
                == "Paused: somebody paused it, starts 1 Dec 01:15")
    }

    @Test func `what has passed, or is done, is not announced`() throws {
        #expect(
            try told(
                .idle(.waitingForLowerElectricityRates), at: "2026-11-20T21:00:00Z", start: "2026-11-20T20:00:00Z",
                ready: "2026-11-20T20:30:00Z") == "Waiting for cheaper electricity")
        #expect(
            try told(
                .idle(.batteryFull), at: "2026-11-20T21:00:00Z", start: "2026-11-21T00:15:00Z",
                ready: "2026-11-21T05:40:00Z") == "Done: the battery is full")
        #expect(try told(.pluggedIn, at: "2026-11-20T21:00:00Z") == "Plugged in")
        #expect(
            try told(.active(.scheduledStart), at: "2026-11-20T21:00:00Z", ready: "2026-11-21T05:40:00Z")
                == "Charging as scheduled: ready by 06:40")
    }

    @Test(arguments: [
        // Clocks go back at 3:00 and show 2:30 twice; they go ahead at 2:00.
        ("2026-10-24T20:00:00Z", "2026-10-25T00:30:00Z", "02:30 (+02:00)"),
        ("2026-10-24T20:00:00Z", "2026-10-25T01:30:00Z", "02:30 (+01:00)"),
        ("2026-10-24T20:00:00Z", "2026-10-25T02:30:00Z", "03:30"),
        ("2026-03-28T22:00:00Z", "2026-03-29T01:30:00Z", "03:30"),
    ])
    func `clocks are those of the venue, also when they change`(now: String, start: String, clock: String) throws {
        #expect(
            try told(.idle(.scheduledPause), at: now, start: start) == "Paused as scheduled: starts \(clock)")
    }

    @Test func `every reason has words of its own`() {
        let words = EnglishActivityWords()
        let waiting = IdleReason.allCases.map(words.waiting)
        let charging = ActiveReason.allCases.map(words.charging)
        #expect(Set(waiting + charging).count == waiting.count + charging.count)
        #expect((waiting + charging).allSatisfy { !$0.isEmpty && $0.last != "." })
    }

    // MARK: Sessions

    private func session(
        kind: Device.Kind = .electricVehicle, direction: FlowDirection = .imported, energy: Int64 = 12_449_000,
        isOver: Bool = true, clean: [Cleanliness: Int64] = [:], cost: Int64? = nil, baseline: Int64? = nil,
        pricedEnergy: Int64? = nil, isRepaired: Bool = false
    ) throws -> String {
        func amount(_ energy: Int64) -> InsightAmount {
            InsightAmount(energy: Energy(milliwattHours: energy), runtimeMilliseconds: 7_800_000)
        }
        func worth(_ micros: Int64?) -> InsightWorth {
            guard let micros else { return .none }
            return InsightWorth(
                costs: [Money(micros: micros, currency: "USD")],
                pricedEnergy: Energy(milliwattHours: pricedEnergy ?? energy))
        }
        let began = try time("2026-11-21T00:15:00Z")
        let insight = SessionInsight(
            key: SessionKey(venueID: venueID, sessionID: UUID()), deviceID: "x", deviceKind: kind,
            direction: direction, began: began, last: began.advanced(byMilliseconds: 7_800_000), isOver: isOver,
            wasFollowingGuidance: true, amount: amount(energy), worth: worth(cost),
            byCleanliness: clean.mapValues(amount),
            baseline: try baseline.map {
                SessionBaseline(
                    interval: Interval(start: began, milliseconds: 1), power: try Power(milliwatts: 1),
                    worth: worth($0))
            }, isRepaired: isRepaired)
        return ActivityTeller(in: Self.berlin).text(Activity(insight))
    }

    @Test func `a session is told with all that is known of it, and nothing else`() throws {
        #expect(
            try session(clean: [.cleaner: 8_838_790, .avoid: 3_610_210], cost: 2_314_000, baseline: 3_150_000)
                == "Charged 12.4 kWh in 2 h 10 min, 71 % of it clean, for 2.31 USD; saved 0.84 USD")
        #expect(
            try session(clean: [.cleaner: 6_224_500, .unknown: 6_224_500], cost: 2_314_000, baseline: 2_214_000)
                == "Charged 12.4 kWh in 2 h 10 min, at least 50 % of it clean, for 2.31 USD; 0.10 USD more than at once"
        )
        #expect(try session(clean: [.unknown: 12_449_000]) == "Charged 12.4 kWh in 2 h 10 min")
        #expect(try session(cost: 2_000_000, pricedEnergy: 5) == "Charged 12.4 kWh in 2 h 10 min")
        #expect(try session(energy: 0) == "Charged nothing in 2 h 10 min")
        #expect(
            try session(direction: .exported, cost: 900_000, isRepaired: true)
                == "Gave back 12.4 kWh in 2 h 10 min, earned 0.90 USD; set right by hand")
        #expect(
            try session(direction: .exported, cost: -900_000) == "Gave back 12.4 kWh in 2 h 10 min, cost 0.90 USD")
        #expect(try session(cost: -900_000) == "Charged 12.4 kWh in 2 h 10 min, earned 0.90 USD")
        #expect(try session(kind: .hvac, energy: 0) == "Ran for 2 h 10 min")
        #expect(try session(isOver: false) == "Charging since 01:15: 12.4 kWh so far")
        #expect(try session(energy: 0, isOver: false) == "Charging since 01:15")
    }

    @Test func `since when is told by the minute that the clocks showed, as what happens is`() throws {
        let began = Timestamp(unixMilliseconds: 1_772_417_926_668)
        let insight = SessionInsight(
            key: SessionKey(venueID: UUID(), sessionID: UUID()), deviceID: "x", deviceKind: .electricVehicle,
            direction: .imported, began: began, last: began.advanced(byMilliseconds: 7_800_000), isOver: false,
            wasFollowingGuidance: true, amount: .zero, worth: .none)
        #expect(ActivityTeller(in: Self.berlin).text(Activity(insight)) == "Charging since 03:18")
    }
}
