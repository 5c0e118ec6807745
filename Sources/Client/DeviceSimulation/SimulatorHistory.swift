internal import EnergyModel
internal import Foundation

/// The past that a new system is given, so that its insights are not empty: both devices lived at the venue for some
/// time, followed a guidance like those of today, and end where the live simulation goes on.
struct SimulatorHistory {
    let vehicle: VehicleSetup
    let heatPump: HeatPumpSetup
    /// Of guidance that this system issued to the simulator: sessions need one.
    let vehicleToken: UUID
    let heatPumpToken: UUID

    /// The car's life from `days` before `end` until `end`: at both it comes home and plugs in.
    func vehicleLife(days: Int, until end: Timestamp) -> (VehicleSimulation, [Event]) {
        let start = end.advanced(byMilliseconds: -Int64(days) * .millisecondsPerDay)
        var car = VehicleSimulation(setup: vehicle, state: .arriving(at: start))
        car.state.homeAt = end.unixMilliseconds
        var events: [Event] = []
        while car.now < end {
            events += car.advance(
                to: Timestamp(unixMilliseconds: min(car.nextChange, end.unixMilliseconds)), token: vehicleToken)
            if let wish = car.state.wish, !wish.isKnown, car.now < end { follow(wish, &car) }
        }
        return (car, events)
    }

    /// The heat pump's life from `days` before `end` until `end`.
    func heatPumpLife(days: Int, until end: Timestamp) -> (HeatPumpSimulation, [Event]) {
        let start = end.advanced(byMilliseconds: -Int64(days) * .millisecondsPerDay)
        var pump = HeatPumpSimulation(setup: heatPump, state: .init(now: start.unixMilliseconds))
        pump.state.guidanceToken = heatPumpToken
        var day = LocalDay(containing: start, in: heatPump.timeZone)
        while day.at(minute: 0) < end {
            // The evening peak, which guidance rates worst on most days.
            pump.state.limits.append(
                .init(
                    start: day.at(minute: 17 * 60).unixMilliseconds, end: day.at(minute: 20 * 60).unixMilliseconds,
                    stageMax: 40))
            day = day.next
        }
        let events = pump.advance(to: end, token: heatPumpToken)
        pump.state.limits = []
        pump.state.guidanceToken = nil
        pump.state.wish = nil
        return (pump, events)
    }

    /// Plans a stay at home as the scheduler would have.
    private func follow(_ wish: VehicleSimulation.Wish, _ car: inout VehicleSimulation) {
        car.state.wish?.isKnown = true
        guard let window = Interval(start: car.now, end: Timestamp(unixMilliseconds: wish.readyBy)) else { return }
        let percents = Int64(max(0, wish.stateOfCharge - car.stateOfCharge))
        let battery = vehicle.capacity.milliwattHours * percents / 100
        let needed =
            Double(battery) * 100 / Double(vehicle.efficiencyPercent) / Double(max(1, vehicle.power.milliwatts))
        let blocks = cleanest(
            guidance(over: window), in: window, milliseconds: Int64(needed * Double(Int64.millisecondsPerHour)))
        car.state.orders = ChargingOrders(blocks, guidanceToken: vehicleToken)
    }

    /// The best-rated times of so many milliseconds in all: what the scheduler gives a car that is alone.
    private func cleanest(_ guidance: Guidance, in window: Interval, milliseconds: Int64) -> [ScheduleBlock] {
        var (blocks, left): ([ScheduleBlock], Int64) = ([], milliseconds)
        for value in guidance.values.sorted(by: { $0.rating < $1.rating }) where left > 0 {
            guard let part = value.interval.intersection(window) else { continue }
            let interval = Interval(start: part.start, milliseconds: min(left, part.milliseconds))
            left -= interval.milliseconds
            blocks.append(
                ScheduleBlock(
                    interval: interval, power: vehicle.power, stageMax: 100,
                    energy: vehicle.power.energy(overMilliseconds: interval.milliseconds), rating: value.rating,
                    reason: .cleanerEnergy))
        }
        return blocks.sorted { $0.interval.start < $1.interval.start }
    }

    /// Clean and cheap at night and around noon, worst in the evening.
    private func guidance(over window: Interval) -> Guidance {
        var values: [GuidanceValue] = []
        var cursor = window.start.floored(toMilliseconds: .millisecondsPerHour)
        while cursor < window.end {
            let hour = cursor.localHour(in: vehicle.timeZone)
            var random = SeededRandom(seed: vehicle.seed, "rating", "\(cursor.unixMilliseconds)")
            let rating: Double =
                switch hour {
                case 0..<5: 0.15
                case 5..<9: 0.55
                case 9..<15: 0.25
                case 16..<21: 0.85
                default: 0.5
                }
            let interval = Interval(start: cursor, milliseconds: .millisecondsPerHour)
            values.append(GuidanceValue(interval: interval, rating: rating + .random(in: 0...0.15, using: &random)))
            cursor = interval.end
        }
        return Guidance(
            token: vehicleToken, venueID: vehicle.venueID, action: .shift, interval: window, values: values,
            locationHasRatePlan: false, incorporatesRatePlan: false, issued: window.start,
            basis: GuidanceBasis(source: "history", kind: .averageDirect, method: "history"))
    }
}

extension VehicleSimulation.State {
    /// A car that comes home now, half full.
    static func arriving(at now: Timestamp) -> Self {
        let trip = Trip(
            departure: now.unixMilliseconds - .millisecondsPerHour, arrival: now.unixMilliseconds, energy: 0,
            arrivalPercentMax: 42)
        return Self(
            now: now.unixMilliseconds, battery: 30_000_000, isPluggedIn: false, trip: trip,
            homeAt: now.unixMilliseconds)
    }
}
