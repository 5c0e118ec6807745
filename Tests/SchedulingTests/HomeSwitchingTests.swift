import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import Foundation
import Testing

@testable import Scheduling

/// What heating keeps to when it is planned again in the midst of a run or a pause.
struct HomeSwitchingTests {
    private let now = EventSamples.now

    private func time(_ minutes: Int64) -> Timestamp { now.advanced(byMilliseconds: minutes * .millisecondsPerMinute) }

    private func guidance(_ ratings: [Double]) -> [SuggestedAction: Guidance] {
        let values = ratings.enumerated().map { hour, rating in
            GuidanceValue(
                interval: Interval(start: time(Int64(hour) * 60), milliseconds: .millisecondsPerHour), rating: rating)
        }
        let guidance = Guidance(
            token: UUID(), venueID: EventSamples.venueID, action: .shift,
            interval: Interval(start: now, milliseconds: Int64(ratings.count) * .millisecondsPerHour), values: values,
            locationHasRatePlan: false, incorporatesRatePlan: false, issued: now,
            basis: GuidanceBasis(source: "test", kind: .averageDirect, method: "test"))
        return [.shift: guidance]
    }

    /// Heat for a day, so that it may run when it likes.
    private func pump(runMin: Int64 = 0, pauseMin: Int64 = 0, setback: Int64 = 0) -> DeviceRecord {
        var climate = ClimateTraits(
            resistance: 5, capacity: 16, performance: 3, comfortMin: 20, comfortMax: 23,
            powerMax: Power(kilowatts: 3), indoor: 20.5, outdoor: 5)
        climate.powerMin = Power(kilowatts: 1)
        climate.setback = setback > 0 ? 2 : 0
        climate.runMinMilliseconds = runMin * .millisecondsPerMinute
        climate.pauseMinMilliseconds = pauseMin * .millisecondsPerMinute
        let device = Device(id: "pump", name: "Pump", kind: .hvac)
        var record = DeviceRecord(
            device: ManagedDevice(device: device, venueID: EventSamples.venueID, load: .climate(climate)),
            timeZone: .gmt,
            goals: [
                Goal(
                    id: UUID(), venueID: EventSamples.venueID, deviceID: device.id, readyBy: time(480),
                    target: .reduce(maxMilliseconds: max(1, setback * .millisecondsPerMinute)), created: now)
            ])
        record.read(20.5, now: now)
        return record
    }

    /// Plans it as if its room had just been read.
    private func plan(_ record: inout DeviceRecord, _ ratings: [Double], at minute: Int64) throws {
        if let state = record.state(at: time(minute), outdoor: { _ in nil }) { record.read(state, now: time(minute)) }
        let replanner = Replanner.patient()
        let decision = try replanner.decide([record], guidance: guidance(ratings), now: time(minute))[0]
        guard case .plan(let plan) = decision else { return }
        record.adopt(plan, now: time(minute))
    }

    private func isOn(_ record: DeviceRecord, at minute: Int64) -> Bool {
        record.schedule?.blocks.contains { $0.interval.contains(time(minute)) && $0.power > .zero } ?? false
    }

    private let goodNow = [0.1, 0.9, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]
    private let goodLater = [0.9, 0.9, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]

    @Test func `a run that has just begun lasts, however often it is planned again`() throws {
        var free = pump()
        try plan(&free, goodNow, at: 0)
        #expect(isOn(free, at: 1))
        try plan(&free, goodLater, at: 20)
        #expect(!isOn(free, at: 21))
        var bound = pump(runMin: 60)
        try plan(&bound, goodNow, at: 0)
        for minute: Int64 in [10, 20, 40] { try plan(&bound, goodLater, at: minute) }
        #expect(isOn(bound, at: 41) && isOn(bound, at: 59))
        #expect(!isOn(bound, at: 61))
        // Its hour is over: it does not begin anew with every plan.
        #expect(bound.progress.switched == now)
    }

    @Test func `a pause that has just begun lasts`() throws {
        let goodAgain = [0.9, 0.1, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9]
        var free = pump()
        try plan(&free, goodNow, at: 0)
        #expect(!isOn(free, at: 61))
        try plan(&free, goodAgain, at: 80)
        #expect(isOn(free, at: 81))
        var bound = pump(runMin: 10, pauseMin: 40)
        try plan(&bound, goodNow, at: 0)
        #expect(isOn(bound, at: 59) && !isOn(bound, at: 61))
        for minute: Int64 in [70, 80, 90] { try plan(&bound, goodAgain, at: minute) }
        #expect(!isOn(bound, at: 91) && !isOn(bound, at: 99))
        #expect(isOn(bound, at: 101))
    }

    @Test(arguments: [2, 8, 17] as [UInt64])
    func `a setback of less than an hour has it switched no more often than one of an hour`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let ratings = (0..<8).map { _ in Double.random(in: 0...1, using: &random) }
        func starts(_ setback: Int64) throws -> Int {
            var record = pump(setback: setback)
            try plan(&record, ratings, at: 0)
            let powers = record.schedule?.blocks.map(\.power) ?? []
            return zip([.zero] + powers, powers).count { $0 == .zero && $1 > .zero }
        }
        let (quarters, hours) = try (starts(45), starts(60))
        print("SEED", seed, quarters, hours)
        #expect(quarters <= hours)
    }
}
