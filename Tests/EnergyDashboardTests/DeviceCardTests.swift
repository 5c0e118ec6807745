import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

@testable import EnergyDashboard

struct DeviceCardTests {
    private static let now = EventSamples.now

    /// Of a car that was told to charge now, with its newest word.
    private func card(_ latest: VehicleStatus.Status?) throws -> String {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let venue = Venue(
            id: EventSamples.venueID, name: "Home", timeZone: zone, region: "DE",
            changed: Timestamp(unixMilliseconds: 0))
        let span = Interval(start: Self.now, milliseconds: .millisecondsPerHour)
        let goal = Goal(
            id: UUID(), venueID: venue.id, deviceID: EventSamples.car.id, readyBy: span.end, target: .stateOfCharge(80),
            created: Self.now)
        let block = ScheduleBlock(
            interval: span, power: Power(kilowatts: 7), stageMax: 100, energy: Energy(milliwattHours: 7_000_000),
            rating: 0.5,
            reason: .chargeNow)
        let schedule = Schedule(
            id: UUID(), venueID: venue.id, deviceID: EventSamples.car.id, goal: goal, revision: 1, planned: Self.now,
            guidanceToken: nil, blocks: [block], required: .zero, plannedEnergy: .zero, explanation: "",
            override: .chargeNow)
        let device = ManagedDevice(device: EventSamples.car, venueID: venue.id)
        let status = DeviceStatus(
            device: device, name: device.device.name, schedule: schedule,
            latest: latest.flatMap { Activity(EventSamples.status(at: Self.now, $0)) }, now: Self.now)
        let context = PageContext(language: .english, venues: [venue], venue: venue, now: Self.now)
        return DeviceCard(status: status, context: context).html().description
    }

    @Test func `a car that was told to charge now charges only when it says so`() throws {
        #expect(try card(.active(.userInitiated)).contains("Charges now, as you asked."))
        for latest: VehicleStatus.Status? in [nil, .pluggedIn, .unplugged] {
            let card = try card(latest)
            #expect(card.contains("Told to charge now, as you asked."))
            #expect(!card.contains("Charges now"))
        }
    }
}
