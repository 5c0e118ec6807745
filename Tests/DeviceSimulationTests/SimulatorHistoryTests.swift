import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

@testable import DeviceSimulation

struct SimulatorHistoryTests {
    /// Around both clock changes of 2026 in Los Angeles and London, and where days never change.
    static let ends: [(zone: String, end: Int64)] = [
        ("America/Los_Angeles", 1_773_100_000_000), ("America/Los_Angeles", 1_793_800_000_000),
        ("Europe/London", 1_775_000_000_000), ("Asia/Kolkata", 1_763_712_345_678),
        ("Australia/Lord_Howe", 1_775_500_000_000),
    ]

    private func history(_ zone: String, seed: UInt64) throws -> SimulatorHistory {
        let timeZone = try #require(TimeZone(identifier: zone))
        return SimulatorHistory(
            vehicle: try VehicleSetup(seed: seed, venueID: EventSamples.venueID, timeZone: timeZone),
            heatPump: HeatPumpSetup(seed: seed, venueID: EventSamples.venueID, timeZone: timeZone),
            vehicleToken: EventSamples.token, heatPumpToken: EventSamples.token)
    }

    /// Checks what the log checks.
    private func expectValid(_ events: [Event], now: Timestamp) {
        var trackers: [UUID: SessionTracker] = [:]
        for event in events {
            #expect(EventRules(isStrict: true).violations(of: event, now: now).isEmpty, "\(event)")
            guard let session = event.session else { continue }
            if case .refused(let violation) = trackers[session.id, default: SessionTracker()].apply(event) {
                Issue.record("\(violation) in \(event)")
            }
        }
        #expect(Set(events.map(\.id)).count == events.count)
        for (event, next) in zip(events, events.dropFirst()) { #expect(event.timestamp <= next.timestamp) }
    }

    @Test(arguments: ends, UInt64(1)...4)
    func `two weeks of a car obey every rule, and end with the car plugged in and wanting energy`(
        place: (zone: String, end: Int64), seed: UInt64
    ) throws {
        let end = Timestamp(unixMilliseconds: place.end)
        let (car, events) = try history(place.zone, seed: seed).vehicleLife(days: 14, until: end)
        expectValid(events, now: end)
        #expect(car.now == end)
        #expect(car.state.isPluggedIn)
        #expect(car.stateOfCharge <= 42)
        #expect(events.last?.timestamp == end)
        let wish = try #require(car.state.wish)
        #expect(wish.readyBy - place.end >= 5 * .millisecondsPerHour)
        #expect(!wish.isKnown)
    }

    @Test(arguments: ends, UInt64(1)...2)
    func `a car charges on most days, reports every quarter hour, and its sessions end`(
        place: (zone: String, end: Int64), seed: UInt64
    ) throws {
        let end = Timestamp(unixMilliseconds: place.end)
        let (_, events) = try history(place.zone, seed: seed).vehicleLife(days: 14, until: end)
        let sessions = Dictionary(grouping: events.filter { $0.session != nil }) { $0.session?.id }
        #expect(sessions.count >= 8)
        var total: Int64 = 0
        for session in sessions.values {
            #expect(session.first?.session?.state == .begin)
            #expect(session.last?.session?.state == .end)
            for event in session.dropFirst().dropLast() {
                #expect(event.timestamp.unixMilliseconds % (15 * .millisecondsPerMinute) == 0)
            }
            for (event, next) in zip(session, session.dropFirst()) {
                #expect(next.timestamp.milliseconds(since: event.timestamp) <= 15 * .millisecondsPerMinute)
            }
            if case .vehicleLoad(let load)? = session.last?.content { total += load.energyMilliwattHours }
        }
        // 9 to 24 kWh a trip, over 90 % efficiency.
        #expect(80_000_000...400_000_000 ~= total)
    }

    @Test func `a car charges before it first leaves, in whatever hour of the week its life begins`() throws {
        let history = try history("America/Los_Angeles", seed: 1)
        for hour in 0..<Int64(7 * 24) {
            let end = Timestamp(unixMilliseconds: Self.ends[1].end + hour * .millisecondsPerHour)
            let (_, events) = history.vehicleLife(days: 14, until: end)
            let left = try #require(
                events.firstIndex {
                    if case .vehicleStatus(let status) = $0.content { status.status == .unplugged } else { false }
                })
            #expect(events[..<left].contains { $0.session?.state == .end }, "hour \(hour)")
        }
    }

    @Test(arguments: ends, UInt64(1)...4)
    func `two weeks of a heat pump obey every rule, and the evenings are reduced`(
        place: (zone: String, end: Int64), seed: UInt64
    ) throws {
        let end = Timestamp(unixMilliseconds: place.end)
        let history = try history(place.zone, seed: seed)
        let (pump, events) = history.heatPumpLife(days: 14, until: end)
        expectValid(events, now: end)
        #expect(pump.now == end)
        #expect(!events.isEmpty)
        for event in events {
            guard case .hvacLoad(let load) = event.content else { continue }
            if 17..<20 ~= event.timestamp.localHour(in: history.heatPump.timeZone) { #expect(load.stage <= 40) }
        }
    }

    @Test func `the same seed gives the same events, another seed others`() throws {
        let end = Timestamp(unixMilliseconds: Self.ends[0].end)
        let first = try history("Europe/London", seed: 1).vehicleLife(days: 14, until: end).1
        #expect(try history("Europe/London", seed: 1).vehicleLife(days: 14, until: end).1 == first)
        #expect(try history("Europe/London", seed: 2).vehicleLife(days: 14, until: end).1 != first)
    }

    @Test(arguments: UInt64(0)..<50)
    func `however time is cut, the same events happen`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let end = Timestamp(unixMilliseconds: Self.ends[1].end)
        let setup = try history("America/Los_Angeles", seed: seed).vehicle
        var whole = VehicleSimulation(setup: setup, state: .arriving(at: end))
        whole.state.orders = nil
        var parts = whole
        let later = end.advanced(byMilliseconds: 2 * .millisecondsPerDay)
        let expected = whole.advance(to: later, token: EventSamples.token)
        var found: [Event] = []
        while parts.now < later {
            let step = Int64.random(in: 1...5 * .millisecondsPerHour, using: &random)
            let next = min(later, parts.now.advanced(byMilliseconds: step))
            found += parts.advance(to: next, token: EventSamples.token)
        }
        #expect(found == expected)
        #expect(parts.state == whole.state)
    }
}
