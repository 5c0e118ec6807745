import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

@testable import EnergyKit

struct SessionRecorderTests {
    private typealias Reading = ElectricVehicleReading

    private var recorder = ElectricVehicleSessionRecorder(
        device: Made.car, guidance: .init(wasFollowingGuidance: true, guidanceToken: UUID()))

    /// `minutes` after noon.
    private func reading(_ minutes: Double, kilowatts: Double, meter: Double? = nil) -> Reading {
        Reading(
            timestamp: Made.start.addingTimeInterval(minutes * 60), stateOfCharge: 50,
            power: Measurement(value: kilowatts, unit: .kilowatts),
            meter: meter.map { Measurement(value: $0, unit: .kilowattHours) })
    }

    private func kilowattHours(_ event: ElectricVehicleLoadEvent?) -> Double? {
        event?.measurement.energy.converted(to: .kilowattHours).value
    }

    @Test mutating func `a charge begins, is sampled each quarter of an hour, and ends`() {
        var events: [ElectricVehicleLoadEvent] = recorder.record(reading(-1, kilowatts: 0))
        #expect(events.isEmpty)
        for minute in 3..<63 { events += recorder.record(reading(Double(minute), kilowatts: 7)) }
        events += recorder.record(reading(63, kilowatts: 0))
        events += recorder.record(reading(64, kilowatts: 0))
        let minutes = events.map { $0.timestamp.timeIntervalSince(Made.start) / 60 }
        #expect(minutes == [3, 3, 15, 30, 45, 60, 63])
        #expect(events.first?.session.state == .begin)
        #expect(events.last?.session.state == .end)
        #expect(events.dropFirst().dropLast().allSatisfy { $0.session.state == .active })
        #expect(Set(events.map(\.session.id)).count == 1)
        for event in [events.first, events.last] { #expect(event?.measurement.power.value == 0) }
        #expect(kilowattHours(events.first) == 0)
        // The last minute falls from 7 kW to nothing.
        #expect(kilowattHours(events.last) == 6.941667)
        #expect(recorder.sessionIdentifier == nil)
    }

    @Test mutating func `power that changes is told at once, power that trembles is not`() {
        _ = recorder.record(reading(1, kilowatts: 7))
        #expect(recorder.record(reading(2, kilowatts: 7.2)).isEmpty)
        #expect(recorder.record(reading(3, kilowatts: 3.5)).map(\.session.state) == [.active])
        #expect(recorder.record(reading(4, kilowatts: 3.45)).isEmpty)
    }

    @Test mutating func `new guidance is told with the next reading, and its token goes along`() {
        _ = recorder.record(reading(1, kilowatts: 7))
        let token = UUID()
        recorder.guidance = .init(wasFollowingGuidance: false, guidanceToken: token)
        let events = recorder.record(reading(2, kilowatts: 7))
        #expect(events.map(\.session.guidanceState.guidanceToken) == [token])
        #expect(recorder.record(reading(3, kilowatts: 7)).isEmpty)
    }

    @Test mutating func `a meter counts, and one that starts over does not count backwards`() {
        _ = recorder.record(reading(0, kilowatts: 7, meter: 1_000))
        let first = recorder.record(reading(15, kilowatts: 7, meter: 1_002))
        #expect(kilowattHours(first.first) == 2)
        let second = recorder.record(reading(30, kilowatts: 8, meter: 0))
        #expect(kilowattHours(second.first) == 3.875)
        #expect(kilowattHours(recorder.end(at: Made.start.addingTimeInterval(3_600))) == 3.875)
        #expect(recorder.end(at: Made.start) == nil)
    }

    @Test(arguments: UInt64(0)..<100)
    mutating func `whatever is read, the events break no rule`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var now = 0.0
        var events: [ElectricVehicleLoadEvent] = []
        for _ in 0..<200 {
            now += Double.random(in: -5...20, using: &random)
            let kilowatts = [0, 3.5, 7, .nan, -1, .infinity, 1_000].randomElement(using: &random) ?? 0
            let meter = Bool.random(using: &random) ? nil : Double.random(in: 0...500, using: &random)
            events += recorder.record(reading(now, kilowatts: kilowatts, meter: meter))
            if Int.random(in: 0..<20, using: &random) == 0 {
                events += recorder.end(at: Made.start.addingTimeInterval(now * 60)).map { [$0] } ?? []
            }
        }
        let rules = EventRules(isStrict: true)
        var progress: [UUID: (state: ElectricVehicleLoadEvent.Session.State, energy: Int64, time: Timestamp)] = [:]
        for event in events {
            let sent = try event.model(venueID: EventSamples.venueID)
            #expect(rules.violations(of: sent, now: Timestamp(.distantFuture)).allSatisfy { $0.rule.contains("ago") })
            guard case .vehicleLoad(let load) = sent.content else { throw EnergyKitError.invalidLoadEvent }
            let before = progress[event.session.id]
            #expect((before == nil) == (event.session.state == .begin))
            #expect(before?.state != .end)
            #expect(load.energyMilliwattHours >= before?.energy ?? 0)
            #expect(sent.timestamp >= before?.time ?? sent.timestamp)
            progress[event.session.id] = (event.session.state, load.energyMilliwattHours, sent.timestamp)
        }
        #expect(!progress.isEmpty)
    }

    @Test func `a heat pump's stages become a session`() {
        var recorder = ElectricHVACSessionRecorder(
            device: Made.heatPump, guidance: .init(wasFollowingGuidance: true, guidanceToken: UUID()))
        var events: [ElectricHVACLoadEvent] = []
        for (minute, stage) in [(0, 0), (1, 50), (2, 50), (3, 100), (14, 100), (16, 400), (20, 0), (21, 0)] {
            events += recorder.record(stage: stage, at: Made.start.addingTimeInterval(Double(minute) * 60))
        }
        #expect(events.map(\.measurement.stage) == [0, 50, 100, 100, 0])
        #expect(events.map(\.session.state) == [.begin, .active, .active, .active, .end])
    }
}
