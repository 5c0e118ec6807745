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

    private func status(
        _ id: String, _ kilowatts: Double, _ span: Interval, isDischarging: Bool = false,
        reason: ScheduleReason = .cleanerEnergy, stage: Int = 100, kind: Device.Kind = .electricVehicle
    ) -> DeviceStatus {
        let block = ScheduleBlock(
            interval: span, power: Power(kilowatts: kilowatts), stageMax: stage,
            energy: Energy(milliwattHours: 1), rating: 0.1, reason: reason, isDischarging: isDischarging)
        let goal = Goal(
            id: UUID(), venueID: venueID, deviceID: id, readyBy: span.end, target: .stateOfCharge(80),
            created: Self.start)
        let schedule = Schedule(
            id: UUID(), venueID: venueID, deviceID: id, goal: goal, revision: 1, planned: Self.start,
            guidanceToken: nil, blocks: [block], required: .zero, plannedEnergy: .zero, explanation: "")
        let device = ManagedDevice(
            device: Device(id: id, name: "The \(id)", kind: kind), venueID: venueID)
        return DeviceStatus(device: device, name: device.device.name, schedule: schedule, latest: nil, now: Self.start)
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
        #expect(power.steps[2].parts.map { $0?.power.kilowatts } == [7, 2, 1])
        #expect(power.steps[4].parts.allSatisfy { $0 == nil })
    }

    @Test func `what begins and ends is told to the minute`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let now = Self.start.advanced(byMilliseconds: 540_010)
        let end = now.advanced(byMilliseconds: 20_000)
        let soon = Interval(start: now, milliseconds: 20_000)
        let late = Interval(start: end, milliseconds: 2 * .millisecondsPerHour)
        let devices = [status("car", 7, soon), status("van", 2, late)]
        let chart = PlanChart(
            devices: devices, guidance: nil, limits: nil, now: now,
            formats: Formats(language: .english, timeZone: zone, country: "GB"))
        #expect(chart.power.steps.prefix(2).map(\.interval.milliseconds) == [540_000, 51 * 60_000])
        let table = chart.html().description
        #expect(!table.contains("02:09–02:09") && !table.contains("02:00–02:09</th>"))
        #expect(table.contains("02:09–03:00</th>"))
    }

    @Test func `a battery that gives and then takes has another change before its deadline`() throws {
        let (gives, takes) = (hours(0, 2), hours(2, 4))
        var device = status("battery", 1, gives, isDischarging: true, kind: .homeBattery)
        let schedule = try #require(device.schedule)
        let more = ScheduleBlock(
            interval: takes, power: Power(kilowatts: 1), stageMax: 100, energy: Energy(milliwattHours: 1), rating: 0.1,
            reason: .cleanerEnergy)
        device = DeviceStatus(
            device: device.device, name: device.name,
            schedule: Schedule(
                id: schedule.id, venueID: venueID, deviceID: "battery", goal: schedule.goal, revision: 1,
                planned: Self.start, guidanceToken: nil, blocks: schedule.blocks + [more], required: .zero,
                plannedEnergy: .zero, explanation: ""), latest: nil, now: Self.start)
        let change = try #require(device.nextChange)
        #expect(change.at == takes.start && change.change == .ends)
    }

    @Test func `headroom is what the fuse has left when most is taken`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let formats = Formats(language: .english, timeZone: zone, country: "GB")
        let devices = [status("car", 7, hours(1, 3)), status("van", 2, hours(2, 4))]
        let chart = PlanChart(devices: devices, guidance: nil, limits: limits, now: Self.start, formats: formats)
        #expect(chart.headroom == "At the fullest time 1.0 kW are left, at 04:00.")
        #expect(chart.html().description.contains("Limit: 11.0 kW"))
        let both = [status("car", 7, hours(1, 3)), status("van", 4.4, hours(2, 4))]
        let overdrawn = PlanChart(devices: both, guidance: nil, limits: limits, now: Self.start, formats: formats)
        #expect(overdrawn.headroom == "At the fullest time it is 1.4 kW too much, at 04:00.")
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
        #expect(chart.headroom == "At the fullest time 2.5 kW are left on the fullest phase, at 03:00.")
        #expect(chart.power.limit?.kilowatts == 17.25)
    }

    @Test func `a device waits until its plan begins, and says when that is`() {
        let waiting = status("car", 7, hours(1, 3))
        #expect(waiting.state == .waiting)
        #expect(waiting.nextChange?.at == hours(1, 3).start)
        #expect(waiting.nextChange?.change == .starts)
    }

    @Test func `heating that does with less does not start when that is over`() {
        var heating = status("car", 7, hours(1, 3))
        func block(_ from: Int64, _ to: Int64, _ reason: ScheduleReason) -> ScheduleBlock {
            ScheduleBlock(
                interval: hours(from, to), power: .zero, stageMax: reason == .reduced ? 40 : 100, energy: .zero,
                rating: 0.5, reason: reason)
        }
        func change(_ blocks: [ScheduleBlock]) -> DeviceStatus.Change? {
            heating = DeviceStatus(
                device: heating.device, name: heating.name,
                schedule: heating.schedule.map { known in
                    Schedule(
                        id: known.id, venueID: known.venueID, deviceID: known.deviceID, goal: known.goal, revision: 1,
                        planned: Self.start, guidanceToken: nil, blocks: blocks, required: .zero, plannedEnergy: .zero,
                        explanation: "")
                }, latest: nil, now: Self.start)
            return heating.nextChange?.change
        }
        #expect(change([block(0, 2, .reduced), block(2, 4, .normal)]) == .restores)
        #expect(change([block(0, 2, .normal), block(2, 4, .reduced)]) == .lessens)
    }

    // MARK: What is drawn

    private func guidance(_ ratings: [Double]) -> Guidance {
        let values = ratings.enumerated().map { hour, rating in
            GuidanceValue(
                interval: hours(Int64(hour), Int64(hour) + 1), rating: rating, carbonIntensity: 310,
                price: Price(microsPerKilowattHour: 250_000))
        }
        return Guidance(
            token: UUID(), venueID: venueID, action: .shift, interval: hours(0, Int64(ratings.count)), values: values,
            locationHasRatePlan: true, incorporatesRatePlan: true, issued: Self.start,
            basis: GuidanceBasis(source: "test", kind: .averageDirect, method: "test", currency: "EUR"))
    }

    private func html(_ devices: [DeviceStatus], _ guidance: Guidance? = nil, now: Timestamp = start) throws -> String {
        let zone = try #require(TimeZone(identifier: "Europe/London"))
        return PlanChart(
            devices: devices, guidance: guidance, limits: nil, now: now,
            formats: Formats(language: .english, timeZone: zone)
        ).html().description
    }

    @Test func `a bar has the class of each hour, and its own where guidance does not reach`() throws {
        let block = try #require(status("car", 7, hours(0, 6)).schedule?.blocks.first)
        let spans = RatingSpan.spans(of: block, by: guidance([0.9, 0.5, 0.4, 0.2]).values)
        #expect(spans.map(\.band) == [.avoid, .fair, .good])
        #expect(spans.map(\.interval) == [hours(0, 1), hours(1, 3), hours(3, 6)])
        #expect(RatingSpan.spans(of: block, by: []).map(\.interval) == [hours(0, 6)])
        let drawn = try html([status("car", 7, hours(0, 4))], guidance([0.9, 0.5, 0.4, 0.2]))
        for name in ["good", "fair", "avoid"] { #expect(drawn.contains("height=\"18\" class=\"bar \(name)\"")) }
    }

    @Test func `what does with less is a low bar, and is told with how much`() throws {
        let pump = status("pump", 0, hours(1, 3), reason: .reduced, stage: 40, kind: .hvac)
        let drawn = try html([pump], guidance([0.9, 0.9, 0.9, 0.9]))
        #expect(drawn.contains("height=\"7.2\" class=\"bar avoid\""))
        #expect(drawn.contains("The pump: reduced to 40%"))
        #expect(drawn.contains("<td>reduced to 40%</td>"))
        #expect(drawn.contains("A low bar: with less"))
    }

    @Test func `the table has price, carbon and rating of each time`() throws {
        let drawn = try html([status("car", 7, hours(0, 4))], guidance([0.9, 0.5, 0.4, 0.2]))
        #expect(
            drawn.contains(
                "<td>7.0 kW</td><td>7.0 kW</td><td>Avoid (0.90)</td><td>€0.250 per kWh</td><td>310 g/kWh</td>"))
    }

    @Test func `where nothing is planned there is no scale, and the line of now leaves names free`() throws {
        let now = Self.start.advanced(byMilliseconds: .millisecondsPerHour / 4)
        let idle = try html([status("car", 0, hours(30, 40))], guidance([0.9, 0.5, 0.4, 0.2]), now: now)
        #expect(!idle.contains(" kW</text>"))
        let lines = idle.matches(of: /class="now" x1="[0-9.]+%" y1="([0-9.]+)" x2="[0-9.]+%" y2="([0-9.]+)"/)
        let names = idle.matches(of: /class="lane-name" x="0%" y="([0-9.]+)"/).compactMap { Double($0.1) }
        #expect(lines.count == 3 && names.count == 3)
        for line in lines {
            let range = (Double(line.1) ?? 0)...(Double(line.2) ?? 0)
            #expect(!names.contains { range.contains($0) })
        }
    }

    @Test func `a long name is cut in the drawing, and two of one name have their ids`() throws {
        let devices = ["car", "van"].map {
            ManagedDevice(
                device: Device(id: $0, name: String(repeating: "N", count: 300), kind: .electricVehicle),
                venueID: venueID)
        }
        let statuses = DeviceStatus.all(devices: devices, schedules: [], activities: [], now: Self.start)
        #expect(statuses.map { $0.name.hasSuffix("N (\($0.device.device.id))") } == [true, true])
        let names = try html(statuses).matches(of: /class="lane-name"[^>]*>([^<]*)</)
        #expect(names.allSatisfy { $0.1.count <= 28 })
        let alone = DeviceStatus.all(devices: [devices[0]], schedules: [], activities: [], now: Self.start)
        #expect(alone.map(\.name) == [devices[0].device.name])
    }
}
