import EnergyModel
import Foundation

@testable import EnergyCommands

/// Values that tests show and send.
enum Samples {
    static let losAngeles = TimeZone(identifier: "America/Los_Angeles")!
    static let berlin = TimeZone(identifier: "Europe/Berlin")!

    static func time(_ text: String) -> Timestamp {
        Timestamp(try! Date(text, strategy: .iso8601))
    }

    static func id(_ number: UInt8) -> UUID {
        UUID(uuid: (1, 2, 3, 4, 5, 6, 0x40, 8, 0x80, 10, 11, 12, 13, 14, 15, number))
    }

    static let now = time("2026-11-21T07:20:00Z")

    static let home = Venue(
        id: id(1), name: "Home", timeZone: berlin, region: "DE", ratePlanID: "tou", changed: now)
    static let cabin = Venue(id: id(2), name: "Cabin", timeZone: losAngeles, region: "CISO", changed: now)

    static let ratePlan = RatePlan(
        id: "tou", name: "Day and night", currency: "EUR", timeZone: berlin,
        zones: [
            RateZone(price: Price(microsPerKilowattHour: 310_000), peak: .onPeak),
            RateZone(price: Price(microsPerKilowattHour: 220_000), peak: .offPeak, startMinute: 1320),
        ], changed: now)

    /// 24 hours from 08:00 in Berlin; the ratings go up by 1/24 an hour.
    static func guidance(
        _ venue: Venue = home, start: Timestamp = time("2026-11-21T07:00:00Z"), hours: Int = 24, token: UInt8 = 100,
        action: SuggestedAction = .shift
    ) -> Guidance {
        Guidance(
            token: id(token), venueID: venue.id, action: action,
            interval: Interval(start: start, milliseconds: Int64(hours) * .millisecondsPerHour),
            values: (0..<hours).map { hour in
                GuidanceValue(
                    interval: Interval(
                        start: start.advanced(byMilliseconds: Int64(hour) * .millisecondsPerHour),
                        milliseconds: .millisecondsPerHour),
                    rating: Double(hour) / Double(hours), carbonIntensity: 100 + Double(hour) * 10,
                    price: Price(microsPerKilowattHour: 243_210 + Int64(hour) * 1000), peak: .offPeak,
                    exportPrice: Price(microsPerKilowattHour: 82_000))
            },
            locationHasRatePlan: true, incorporatesRatePlan: true,
            issued: now.advanced(byMilliseconds: -12 * .millisecondsPerMinute),
            basis: GuidanceBasis(
                source: "climatology", kind: .averageDirect, method: "rank-1", priceWeight: 0.5, relativeSpread: 0.4,
                isForecast: true, currency: "EUR", skippedSources: ["eia: no key"]))
    }

    static let car = Device(id: "car-1", name: "Model Y", kind: .electricVehicle)
    static let heatPump = Device(id: "heatpump-1", name: "Heat pump", kind: .hvac)

    static func load(
        _ state: Session.State, number: UInt8 = 1, at time: Timestamp = now, power: Int64 = 7_200_000,
        energy: Int64 = 12_340_000, direction: FlowDirection = .imported
    ) -> Event {
        let session = Session(id: id(50), state: state, wasFollowingGuidance: true, guidanceToken: id(100))
        let load = VehicleLoad(
            session: session, stateOfCharge: 56, direction: direction, powerMilliwatts: power,
            energyMilliwattHours: energy)
        return Event(id: id(number), timestamp: time, venueID: home.id, device: car, content: .vehicleLoad(load))
    }

    static func stage(_ stage: Int, _ state: Session.State = .active) -> Event {
        let session = Session(id: id(51), state: state, wasFollowingGuidance: false, guidanceToken: id(100))
        return Event(
            id: id(9), timestamp: now, venueID: home.id, device: heatPump,
            content: .hvacLoad(HVACLoad(session: session, stage: stage)))
    }

    static func status(_ status: VehicleStatus.Status, target: ChargingTarget? = nil) -> Event {
        Event(
            id: id(8), timestamp: now, venueID: home.id, device: car,
            content: .vehicleStatus(
                VehicleStatus(status: status, stateOfCharge: 56, energyMilliwattHours: 42_000_000, target: target)))
    }

    /// One day in Berlin, `number` of November.
    static func day(_ number: Int, energy: Int64, split: Bool = true) -> InsightRecord {
        let date = CivilDate(year: 2026, month: 11, day: number)!
        let start = VenueTime.timestamp(date, in: berlin)
        let end = VenueTime.timestamp(date.adding(days: 1), in: berlin)
        let part = InsightAmount(energy: Energy(milliwattHours: energy / 4), runtimeMilliseconds: 900_000)
        let rest = InsightAmount(energy: Energy(milliwattHours: energy - energy / 4), runtimeMilliseconds: 2_700_000)
        return InsightRecord(
            interval: Interval(start: start, end: end)!, total: part + rest,
            byCleanliness: split ? [.cleaner: rest, .avoid: part] : nil,
            byTariff: split ? [.offPeak: rest, .onPeak: part] : nil)
    }

    /// 10 kWh for 1.50 EUR and 2 kg, which at once would have cost 4 EUR and 5 kg.
    static func sessionInsight() -> SessionInsight {
        let energy = Energy(milliwattHours: 10_000_000)
        func worth(_ micros: Int64, _ milligrams: Int64) -> InsightWorth {
            InsightWorth(
                costs: [Money(micros: micros, currency: "EUR")], pricedEnergy: energy,
                carbon: [CarbonMass(milligrams: milligrams, kind: .averageLifecycle, energy: energy)])
        }
        let amount = InsightAmount(energy: energy, runtimeMilliseconds: 3_600_000)
        let began = time("2026-11-20T17:00:00Z")
        return SessionInsight(
            key: SessionKey(venueID: home.id, sessionID: id(77)), deviceID: "car-1", deviceKind: .electricVehicle,
            direction: .imported, began: began, last: time("2026-11-21T05:00:00Z"), isOver: true,
            wasFollowingGuidance: true, stateOfChargeAtBegin: 30, stateOfChargeAtLast: 55, amount: amount,
            worth: worth(1_500_000, 2_000_000), byCleanliness: [.cleaner: amount], byTariff: [.offPeak: amount],
            byBand: [.good: amount],
            baseline: SessionBaseline(
                interval: Interval(start: began, milliseconds: 3_600_000), power: try! Power(milliwatts: 10_000_000),
                worth: worth(4_000_000, 5_000_000)))
    }

    static func preview() -> GoalPreview {
        func course(_ cost: Int64?, _ missing: Int64) -> GoalPreview.Course {
            GoalPreview.Course(
                blocks: schedule().blocks, planned: Energy(milliwattHours: 22_000_000),
                missing: Energy(milliwattHours: missing), costMicros: cost, carbonGrams: 4_000, rating: 0.25,
                explanation: "Waits for the sun at noon.")
        }
        return GoalPreview(
            planned: course(6_600_000, 0), atOnce: course(8_800_000, 0), best: course(nil, 1_000_000), currency: "EUR")
    }

    static func schedule(_ number: UInt8 = 200, explanation: String = "Waits for the sun at noon.") -> Schedule {
        let power = try! Power(milliwatts: 11_000_000)
        func hour(_ hour: Int64, _ power: Power, _ rating: Double, _ reason: ScheduleReason) -> ScheduleBlock {
            let start = time("2026-11-21T07:00:00Z").advanced(byMilliseconds: hour * .millisecondsPerHour)
            return ScheduleBlock(
                interval: Interval(start: start, milliseconds: .millisecondsPerHour), power: power, stageMax: 0,
                energy: power.energy(overMilliseconds: .millisecondsPerHour), rating: rating, reason: reason)
        }
        return Schedule(
            id: id(number), venueID: home.id, deviceID: car.id,
            goal: Goal(
                id: id(150), venueID: home.id, deviceID: car.id, readyBy: time("2026-11-21T10:00:00Z"),
                target: .energy(Energy(milliwattHours: 22_000_000)), created: now),
            revision: 3, planned: now, guidanceToken: id(100),
            blocks: [
                hour(0, .zero, 0.8, .waitingForCleanerEnergy), hour(1, power, 0.2, .cleanerEnergy),
                hour(2, power, 0.5, .lowerRates),
            ], required: Energy(milliwattHours: 22_000_000), plannedEnergy: Energy(milliwattHours: 22_000_000),
            explanation: explanation)
    }
}
