import EnergyModel
import Foundation
import Testing

@testable import EnergyDashboard

struct PlanChartTests {
    private static let start = Timestamp(unixMilliseconds: 1_782_864_000_000)  // 2026-07-01T02:00 in Berlin
    private let venueID = UUID()

    private func hours(_ from: Int64, _ to: Int64) -> Interval {
        Interval(
            start: Self.start.advanced(byMilliseconds: from * .millisecondsPerHour),
            milliseconds: (to - from) * .millisecondsPerHour)
    }

    private func status(_ id: String, _ kilowatts: Double, _ span: Interval, isDischarging: Bool = false)
        -> DeviceStatus
    {
        let block = ScheduleBlock(
            interval: span, power: Power(kilowatts: kilowatts), stageMax: 0,
            energy: Energy(milliwattHours: 1), rating: 0.1, reason: .cleanerEnergy, isDischarging: isDischarging)
        let goal = Goal(
            id: UUID(), venueID: venueID, deviceID: id, readyBy: span.end, target: .stateOfCharge(80),
            created: Self.start)
        let schedule = Schedule(
            id: UUID(), venueID: venueID, deviceID: id, goal: goal, revision: 1, planned: Self.start,
            guidanceToken: nil, blocks: [block], required: .zero, plannedEnergy: .zero, explanation: "")
        let device = ManagedDevice(
            device: Device(id: id, name: "The \(id)", kind: .electricVehicle), venueID: venueID)
        return DeviceStatus(device: device, schedule: schedule, latest: nil, now: Self.start)
    }

    private var limits: VenueLimits {
        VenueLimits(
            venueID: venueID, importPower: Power(kilowatts: 11),
            baseLoad: [Power(kilowatts: 0.5), Power(kilowatts: 0.5), .zero])
    }

    @Test func `power adds up what runs at a time, with what is not planned`() {
        let devices = [
            status("car", 7, hours(1, 3)), status("van", 2, hours(2, 4)),
            status("battery", 1, hours(2, 3), isDischarging: true),
        ]
        let power = PlannedPower(devices: devices, limits: limits, interval: hours(0, 5))
        #expect(power.steps.map(\.total.kilowatts) == [1, 8, 9, 3, 1])
        #expect(power.steps.map(\.interval) == (0..<5).map { hours($0, $0 + 1) })
        #expect(power.steps[2].parts.map { $0?.kilowatts } == [7, 2, 1])
        #expect(power.steps[4].parts == [nil, nil, nil])
    }

    @Test func `headroom is what the fuse has left when most is taken`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let formats = Formats(language: .english, timeZone: zone, country: "GB")
        let devices = [status("car", 7, hours(1, 3)), status("van", 2, hours(2, 4))]
        let chart = PlanChart(devices: devices, guidance: nil, limits: limits, now: Self.start, formats: formats)
        #expect(chart.headroom == "At the fullest time 1.0 kW are left, at 04:00.")
        #expect(chart.html().description.contains("Fuse: 11.0 kW"))
        let unlimited = PlanChart(devices: devices, guidance: nil, limits: nil, now: Self.start, formats: formats)
        #expect(unlimited.headroom == "No limit is set for the home.")
    }

    @Test func `a fuse on each phase is as full as its fullest phase`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let formats = Formats(language: .english, timeZone: zone, country: "GB")
        let main = VenueLimits.Circuit(name: "main fuse", powerPerPhase: Power(kilowatts: 5.75), carriesBaseLoad: true)
        let limits = VenueLimits(
            venueID: venueID, circuits: [main],
            baseLoad: [Power(kilowatts: 0.25), Power(kilowatts: 1.25), Power(kilowatts: 0.25)])
        let devices = [status("car", 6, hours(1, 3))]
        let chart = PlanChart(devices: devices, guidance: nil, limits: limits, now: Self.start, formats: formats)
        #expect(chart.headroom == "At the fullest time 2.5 kW are left, at 03:00.")
        #expect(chart.power.limit?.kilowatts == 17.25)
    }

    @Test func `a device waits until its plan begins, and says when that is`() {
        let waiting = status("car", 7, hours(1, 3))
        #expect(waiting.state == .waiting)
        #expect(waiting.nextChange?.at == hours(1, 3).start)
        #expect(waiting.nextChange?.runs == true)
    }
}
