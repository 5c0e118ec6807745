internal import EnergyModel
internal import Foundation

/// A simulated heat pump: works as hard as the weather asks, less while its schedule says reduce, and reports each
/// change.
///
/// A value: time goes in, events come out. The same state and the same orders always give the same events.
struct HeatPumpSimulation {
    struct HeatingSession: Hashable, Codable {
        let id: UUID
        let began: Int64
        let guidanceToken: UUID
        let followsGuidance: Bool
        var stage: Int
    }

    struct Limit: Hashable, Codable {
        /// Unix milliseconds.
        let start: Int64
        let end: Int64
        let stageMax: Int
    }

    /// What the household allows: some hours reduced until then.
    struct Wish: Hashable, Codable {
        /// Unix milliseconds.
        let readyBy: Int64
        /// The scheduler has it.
        var isKnown: Bool
    }

    struct State: Hashable, Codable {
        /// Simulated up to here.
        var now: Int64
        var session: HeatingSession?
        /// A defrost goes on until then.
        var pausedUntil: Int64 = 0
        var limits: [Limit] = []
        /// The guidance behind `limits`; `nil` for none.
        var guidanceToken: UUID?
        var wish: Wish?
        var eventCount: UInt64 = 0
    }

    static let reduceMillisecondsMax = 3 * Int64.millisecondsPerHour
    private static let sessionMillisecondsMax = 6 * Int64.millisecondsPerHour
    private static let defrostMilliseconds = 5 * Int64.millisecondsPerMinute

    let setup: HeatPumpSetup
    var state: State

    var now: Timestamp { Timestamp(unixMilliseconds: state.now) }

    /// Simulates up to `end`.
    ///
    /// - Parameter token: of a guidance for the venue; without one no session can begin.
    mutating func advance(to end: Timestamp, token: UUID?) -> [Event] {
        var events = settle(token)
        while state.now < end.unixMilliseconds {
            state.now = min(end.unixMilliseconds, nextChange)
            events += settle(token)
        }
        return events
    }

    /// When something happens by itself.
    var nextChange: Int64 {
        var next = now.nextQuarter.unixMilliseconds
        for edge in state.limits.lazy.flatMap({ [$0.start, $0.end] }) where edge > state.now { next = min(next, edge) }
        if state.pausedUntil > state.now { next = min(next, state.pausedUntil) }
        if let session = state.session { next = min(next, session.began + Self.sessionMillisecondsMax) }
        if let wish = state.wish { next = min(next, wish.readyBy) }
        return max(next, state.now + 1)
    }

    private mutating func settle(_ token: UUID?) -> [Event] {
        if state.wish.map({ $0.readyBy <= state.now }) ?? true {
            state.wish = Wish(readyBy: setup.nextMorning(after: now).unixMilliseconds, isKnown: false)
        }
        var events: [Event] = []
        if let session = state.session, state.now - session.began >= Self.sessionMillisecondsMax {
            end(session, &events)
            state.pausedUntil = state.now + Self.defrostMilliseconds
        }
        let stage = state.pausedUntil > state.now ? 0 : wantedStage
        switch (state.session, stage) {
        case (nil, 1...): begin(stage, token, &events)
        case (let session?, 0): end(session, &events)
        case (var session?, _) where session.stage != stage:
            session.stage = stage
            state.session = session
            events.append(load(session, .active))
        default: break
        }
        return events
    }

    /// By the weather, in steps of 20, and no more than is allowed now.
    private var wantedStage: Int {
        let celsius = setup.weather.celsius(at: now)
        let hour = now.localHour(in: setup.timeZone)
        let isNight = hour < 6 || hour >= 22.5
        let demand = max((isNight ? 14 : 18) - celsius, (celsius - 25) * 1.3, 0) * 6
        let stage = min(100, Int((demand / 20).rounded()) * 20)
        let limit = state.limits.first { $0.start <= state.now && state.now < $0.end }
        return min(stage, limit?.stageMax ?? 100)
    }

    private mutating func begin(_ stage: Int, _ token: UUID?, _ events: inout [Event]) {
        guard let token = state.guidanceToken ?? token else { return }
        var session = HeatingSession(
            id: SeededRandom.id(seed: setup.seed, setup.device.id, "session", "\(state.now)", "\(state.eventCount)"),
            began: state.now, guidanceToken: token, followsGuidance: state.guidanceToken != nil, stage: 0)
        events.append(load(session, .begin))
        session.stage = stage
        events.append(load(session, .active))
        state.session = session
    }

    private mutating func end(_ session: HeatingSession, _ events: inout [Event]) {
        var session = session
        session.stage = 0
        events.append(load(session, .end))
        state.session = nil
    }

    private mutating func load(_ session: HeatingSession, _ sessionState: Session.State) -> Event {
        state.eventCount += 1
        return Event(
            id: SeededRandom.id(seed: setup.seed, setup.device.id, "event", "\(state.now)", "\(state.eventCount)"),
            timestamp: now, venueID: setup.venueID, device: setup.device,
            content: .hvacLoad(
                HVACLoad(
                    session: Session(
                        id: session.id, state: sessionState, wasFollowingGuidance: session.followsGuidance,
                        guidanceToken: session.guidanceToken), stage: session.stage)))
    }
}

/// A simulated heat pump's build and household.
struct HeatPumpSetup {
    let seed: UInt64
    let venueID: UUID
    let timeZone: TimeZone
    let device = Device(id: "simulated-heat-pump", name: "Simulated heat pump", kind: .hvac)

    var weather: OutdoorTemperature { OutdoorTemperature(seed: seed, timeZone: timeZone) }
    var managed: ManagedDevice { ManagedDevice(device: device, venueID: venueID) }

    /// 06:00 on the local clock, at least 8 hours ahead.
    func nextMorning(after point: Timestamp) -> Timestamp {
        var day = LocalDay(containing: point, in: timeZone)
        let earliest = point.advanced(byMilliseconds: 8 * .millisecondsPerHour)
        while day.at(minute: 360) < earliest { day = day.next }
        return day.at(minute: 360)
    }
}
