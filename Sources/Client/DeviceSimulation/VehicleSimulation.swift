internal import EnergyModel
internal import Foundation

/// A simulated car: drives by habit, plugs in at home, charges when its orders say so, reports what it does.
///
/// A value: time goes in, events come out. The same state and the same orders always give the same events.
struct VehicleSimulation {
    struct ChargingSession: Hashable, Codable {
        let id: UUID
        let began: Int64
        /// Content of the battery then.
        let batteryAtBegin: Int64
        let guidanceToken: UUID
        let followsGuidance: Bool
        var lastEvent: Int64
    }

    /// What the driver wants from this stay at home.
    struct Wish: Hashable, Codable {
        /// Unix milliseconds.
        let readyBy: Int64
        let stateOfCharge: Int
        /// The scheduler has it.
        var isKnown: Bool
    }

    /// What the vehicle told last, since it was plugged in.
    enum Report: Hashable, Codable {
        case none
        case charging(ActiveReason)
        case idle(IdleReason)

        /// What an older program wrote is told again.
        init(from decoder: any Decoder) throws {
            let words = (try? decoder.singleValueContainer().decode([String].self)) ?? []
            switch (words.first, words.last) {
            case ("charging", let reason?): self = ActiveReason(rawValue: reason).map { .charging($0) } ?? .none
            case ("idle", let reason?): self = IdleReason(rawValue: reason).map { .idle($0) } ?? .none
            default: self = .none
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .none: try container.encode([String]())
            case .charging(let reason): try container.encode(["charging", reason.rawValue])
            case .idle(let reason): try container.encode(["idle", reason.rawValue])
            }
        }
    }

    struct State: Hashable, Codable {
        /// Simulated up to here.
        var now: Int64
        /// Content of the battery.
        var battery: Int64
        var isPluggedIn: Bool
        /// The next, or the present one.
        var trip: Trip
        var session: ChargingSession?
        var wish: Wish?
        var orders: ChargingOrders?
        var report: Report = .none
        /// What the last report of waiting announced.
        var reportedRuns: [ChargingOrders.Run]?
        var eventCount: UInt64 = 0
        /// The car comes home at this time whatever its habit: an empty system should soon show something.
        var homeAt: Int64?
    }

    let setup: VehicleSetup
    var state: State

    var now: Timestamp { Timestamp(unixMilliseconds: state.now) }
    var stateOfCharge: Int { Int(state.battery * 100 / setup.capacity.milliwattHours) }

    /// Simulates up to `end`.
    ///
    /// - Parameter token: of a guidance for the venue; without one no session can begin.
    mutating func advance(to end: Timestamp, token: UUID?) -> [Event] {
        var events = settle(token)
        while state.now < end.unixMilliseconds {
            state.now = min(end.unixMilliseconds, nextChange)
            state.battery = batteryNow
            events += settle(token)
        }
        return events
    }

    /// When something happens by itself.
    var nextChange: Int64 {
        var next = state.isPluggedIn ? state.trip.departure : state.trip.arrival
        if let orders = activeOrders, let change = orders.nextChange(after: now) { next = min(next, change) }
        if state.session != nil {
            next = min(next, now.nextQuarter.unixMilliseconds, fullAt)
        }
        return max(next, state.now + 1)
    }

    // MARK: What happens now

    private mutating func settle(_ token: UUID?) -> [Event] {
        var events: [Event] = []
        if state.isPluggedIn && state.now >= state.trip.departure { depart(&events) }
        if !state.isPluggedIn && state.now >= state.trip.arrival { arrive(&events) }
        guard state.isPluggedIn else { return events }
        let run = state.battery < targetBattery ? activeOrders?.run(at: now) : nil
        if let run, state.session == nil, let token {
            begin(run, token, &events)
        } else if run == nil && state.session != nil {
            end(&events)
        } else if let run, state.session != nil, state.report != .charging(run.active) {
            report(run, &events)
        } else if var session = state.session, session.lastEvent < state.now,
            now.floored(toMilliseconds: 15 * .millisecondsPerMinute) == now
        {
            session.lastEvent = state.now
            state.session = session
            events.append(load(session, .active))
        }
        if state.session == nil { reportIdle(&events) }
        return events
    }

    private mutating func depart(_ events: inout [Event]) {
        if state.session != nil { end(&events) }
        events.append(status(.unplugged))
        state.isPluggedIn = false
        state.wish = nil
        state.orders = nil
        state.report = .none
    }

    private mutating func arrive(_ events: inout [Event]) {
        let least = setup.capacity.milliwattHours / 10
        let most = state.trip.arrivalPercentMax.map { setup.capacity.milliwattHours * Int64($0) / 100 } ?? .max
        state.battery = max(min(state.battery, least), min(most, max(least, state.battery - state.trip.energy)))
        state.isPluggedIn = true
        state.trip = nextTrip()
        state.wish = Wish(
            readyBy: state.trip.departure - 15 * .millisecondsPerMinute, stateOfCharge: setup.targetPercent,
            isKnown: false)
        state.orders = nil
        state.report = .none
        events.append(status(.pluggedIn))
    }

    private func nextTrip() -> Trip {
        let isHomeByRequest = state.homeAt == state.now
        // Whoever has just come home stays for a while.
        let stay = isHomeByRequest ? 6 * Int64.millisecondsPerHour : .millisecondsPerHour
        let trip = setup.habit.trip(after: now.advanced(byMilliseconds: stay))
        guard let homeAt = state.homeAt, homeAt > state.now, trip.arrival > homeAt - .millisecondsPerHour else {
            return trip
        }
        let departure = max(state.now + 1, min(trip.departure, homeAt - 5 * .millisecondsPerHour / 2))
        return Trip(departure: departure, arrival: homeAt, energy: trip.energy, arrivalPercentMax: 42)
    }

    private mutating func begin(_ run: ChargingOrders.Run, _ token: UUID, _ events: inout [Event]) {
        let session = ChargingSession(
            id: SeededRandom.id(seed: setup.seed, setup.device.id, "session", "\(state.now)", "\(state.eventCount)"),
            began: state.now, batteryAtBegin: state.battery, guidanceToken: activeOrders?.guidanceToken ?? token,
            followsGuidance: activeOrders?.guidanceToken != nil, lastEvent: state.now)
        state.session = session
        report(run, &events)
        events.append(load(session, .begin))
    }

    private mutating func report(_ run: ChargingOrders.Run, _ events: inout [Event]) {
        state.report = .charging(run.active)
        events.append(status(.active(run.active)))
    }

    private mutating func end(_ events: inout [Event]) {
        guard let session = state.session else { return }
        events.append(load(session, .end))
        state.session = nil
    }

    private mutating func reportIdle(_ events: inout [Event]) {
        let reason = idleReason
        let runs = activeOrders?.runsAhead(of: now) ?? []
        let isReached = reason == .targetStateOfChargeReached
        let isOther = !isReached && state.reportedRuns?.filter { $0.end > state.now } != runs
        guard state.report != .idle(reason) || isOther else { return }
        // Just plugged in: the orders come in a moment, and with them the reason.
        if state.report == .none && state.orders == nil && reason == .scheduledPause { return }
        state.report = .idle(reason)
        state.reportedRuns = runs
        events.append(status(.idle(reason)))
    }

    private var idleReason: IdleReason {
        if state.battery >= targetBattery { return .targetStateOfChargeReached }
        guard let orders = state.orders else { return .scheduledPause }
        let wait = orders.wait(at: now)
        if orders.nextRun(after: now) == nil, wait == nil || wait == .targetReached { return .scheduledEnd }
        return wait?.idle ?? .scheduledPause
    }

    // MARK: Battery

    var targetBattery: Int64 {
        setup.capacity.milliwattHours * Int64(state.orders?.targetPercent ?? setup.targetPercent) / 100
    }

    private var batteryNow: Int64 {
        guard let session = state.session else { return state.battery }
        let stored = sessionEnergy(session).milliwattHours * Int64(setup.efficiencyPercent) / 100
        return min(targetBattery, session.batteryAtBegin + stored)
    }

    func sessionEnergy(_ session: ChargingSession) -> Energy {
        setup.power.energy(overMilliseconds: state.now - session.began)
    }

    /// When the target is reached if charging goes on.
    private var fullAt: Int64 {
        guard let session = state.session else { return .max }
        let stored = max(0, targetBattery - session.batteryAtBegin)
        let grid = (stored * 100 + Int64(setup.efficiencyPercent) - 1) / Int64(setup.efficiencyPercent)
        return session.began + grid * .millisecondsPerHour / setup.power.milliwatts + 2
    }

    /// What the vehicle does when nobody tells it: it starts in time to be ready an hour early.
    var activeOrders: ChargingOrders? {
        if let orders = state.orders { return orders }
        guard let wish = state.wish else { return nil }
        let stored = max(0, targetBattery - (state.session?.batteryAtBegin ?? state.battery))
        let grid = stored * 100 / Int64(setup.efficiencyPercent)
        let needed = grid * .millisecondsPerHour / setup.power.milliwatts
        let start = wish.readyBy - needed - .millisecondsPerHour
        guard start < state.trip.departure else { return nil }
        return ChargingOrders(
            latestStart: Timestamp(unixMilliseconds: start),
            until: Timestamp(unixMilliseconds: state.trip.departure))
    }
}

extension ChargingOrders.Run {
    /// Why it charges.
    fileprivate var active: ActiveReason { reason?.active ?? .scheduledStart }
}
