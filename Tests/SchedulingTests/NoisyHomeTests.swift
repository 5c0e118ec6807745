import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import Foundation
import Testing

@testable import Scheduling

/// Batteries and buildings under guidance that changes a little all the time.
struct NoisyHomeTests {
    /// Five-minute updates for so many hours, with a noise of 0.05.
    private func revisions(_ managed: ManagedDevice, _ target: Goal.Target, hours: Int, seed: UInt64) throws -> Int {
        var random = SplitMix64(seed: seed)
        let truth = (0..<24).map { _ in Double.random(in: 0...1, using: &random) }
        func time(_ minutes: Int) -> Timestamp {
            EventSamples.now.advanced(byMilliseconds: Int64(minutes) * .millisecondsPerMinute)
        }
        var settings = VenueSettings(baseLoad: [0.5, 0.5, 0.5])
        settings.exportPrice = 0
        let replanner = Replanner.patient(settings)
        var record = DeviceRecord(
            device: managed, timeZone: .gmt,
            goals: [
                Goal(
                    id: UUID(), venueID: managed.venueID, deviceID: managed.device.id, readyBy: time(24 * 60),
                    target: target, created: time(0))
            ])
        // As the scheduler does where a device is put.
        switch managed.load {
        case .battery(let battery): record.read(battery.stateOfCharge ?? 0, now: time(0))
        case .climate(let climate): record.read(climate.indoor, now: time(0))
        case .appliance, nil: break
        }
        for minute in stride(from: 0, to: hours * 60, by: 5) {
            let values = truth.indices.dropFirst(minute / 60).map { hour in
                GuidanceValue(
                    interval: Interval(start: time(hour * 60), milliseconds: .millisecondsPerHour),
                    rating: min(1, max(0, truth[hour] + .random(in: -0.05...0.05, using: &random))))
            }
            let guidance = Guidance(
                token: UUID(), venueID: managed.venueID, action: .shift,
                interval: Interval(start: time(minute), milliseconds: .millisecondsPerDay), values: values,
                locationHasRatePlan: false, incorporatesRatePlan: false, issued: time(minute),
                basis: GuidanceBasis(source: "test", kind: .averageDirect, method: "test"))
            let decision = try replanner.decide([record], guidance: [.shift: guidance], now: time(minute))[0]
            guard case .plan(let plan) = decision else { continue }
            if let state = record.state(at: time(minute), outdoor: { _ in nil }) {
                record.progress.reading = .init(value: state, at: time(minute))
            }
            record.adopt(plan, now: time(minute))
        }
        return Int(record.revision)
    }

    @Test(arguments: UInt64(0)..<2)
    func `a battery and a building are not chased either`(seed: UInt64) throws {
        let battery = ManagedDevice(
            device: Device(id: "battery", name: "Battery", kind: .homeBattery), venueID: EventSamples.venueID,
            load: .battery(
                BatteryTraits(
                    capacity: Energy(milliwattHours: 10_000_000), chargeMax: Power(kilowatts: 5),
                    dischargeMax: Power(kilowatts: 5), stateOfCharge: 50)))
        let a = try revisions(battery, .stateOfCharge(50), hours: 24, seed: seed)
        var climate = ClimateTraits(
            resistance: 5, capacity: 4, performance: 3, comfortMin: 20, comfortMax: 23, powerMax: Power(kilowatts: 3),
            indoor: 21, outdoor: 5)
        climate.setback = 1
        let pump = ManagedDevice(
            device: Device(id: "pump", name: "Pump", kind: .hvac), venueID: EventSamples.venueID,
            load: .climate(climate))
        let b = try revisions(pump, .reduce(maxMilliseconds: 2 * .millisecondsPerHour), hours: 24, seed: seed)
        #expect(a <= 10 && b <= 10)
    }
}
