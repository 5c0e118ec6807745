import EnergyModel
import EnergyTestSupport
import EnergyWire
import Foundation
import Testing

@testable import EnergyDashboard

struct GoalInputTests {
    private static let now = Timestamp(unixMilliseconds: 1_782_864_000_000)  // 2026-07-01T02:00 in Berlin
    private let car = ManagedDevice(
        device: Device(id: "car", name: "Car", kind: .electricVehicle), venueID: UUID())

    private func formats(_ language: Language = .english) throws -> Formats {
        Formats(language: language, timeZone: try #require(TimeZone(identifier: "Europe/Berlin")))
    }

    private func input(_ form: String) -> GoalInput {
        var request = PageRequest()
        request.form = PageRequest.fields(form)
        return GoalInput(request)
    }

    @Test func `a goal is what was typed`() throws {
        let input = input("target=charge&amount=80&day=2026-07-01&clock=06%3A30&guaranteed=50&keep=yes")
        let (draft, problems) = input.draft(for: car, now: Self.now, formats: try formats())
        #expect(problems.isEmpty)
        #expect(draft?.target == .stateOfCharge(80))
        #expect(draft?.readyBy == Timestamp(unixMilliseconds: 1_782_880_200_000))
        #expect(draft?.guaranteedPercent == 50)
        #expect(draft?.keepsOthers == true)
        #expect(draft?.weekly == nil)
    }

    @Test func `a goal that repeats needs no day, and a comma is a decimal point`() throws {
        let input = input("target=energy&amount=7,5&day=&clock=7:00&weekday=0&weekday=4&weekday=9")
        let (draft, problems) = input.draft(for: car, now: Self.now, formats: try formats(.german))
        #expect(problems.isEmpty)
        #expect(draft?.target == .energy(Energy(milliwattHours: 7_500_000)))
        #expect(draft?.weekly == WeeklyTime(weekdays: Weekdays(rawValue: 0b1_0001), minuteOfDay: 420))
    }

    @Test func `a goal that repeats keeps its time, also before a day whose clocks skip it`() throws {
        // 02:30 is skipped on 28 March 2027 in Berlin, and due at 03:00.
        let skipped = try #require(Timestamp(iso8601: "2027-03-28T03:00:00+02:00"))
        let weekly = WeeklyTime(weekdays: Weekdays(rawValue: 0b111_1111), minuteOfDay: 150)
        let goal = Goal(
            id: UUID(), venueID: car.venueID, deviceID: "car", readyBy: skipped, target: .stateOfCharge(80),
            created: Self.now, weekly: weekly)
        let shown = GoalInput(goal, for: car, now: Self.now, formats: try formats())
        #expect(shown.clock == "02:30")
        #expect(shown.draft(for: car, now: Self.now, formats: try formats()).draft?.weekly == weekly)
    }

    @Test(arguments: [
        ("target=charge&amount=101&day=2026-07-02&clock=06:30", "amount"),
        ("target=charge&amount=nan&day=2026-07-02&clock=06:30", "amount"),
        ("target=energy&amount=1e99&day=2026-07-02&clock=06:30", "amount"),
        ("target=run&amount=1&day=2026-07-02&clock=06:30", "target"),
        ("amount=1&day=2026-07-02&clock=06:30", "target"),
        ("target=charge&amount=80&day=tomorrow&clock=06:30", "day"),
        ("target=charge&amount=80&day=2026-06-30&clock=06:30", "day"),
        ("target=charge&amount=80&day=2026-07-16&clock=06:30", "day"),
        ("target=charge&amount=80&day=2026-07-02&clock=25:00", "clock"),
        ("target=charge&amount=80&day=2026-07-02&clock=06:30&guaranteed=-1", "guaranteed"),
    ])
    func `what is wrong is named by its field`(form: String, field: String) throws {
        let (draft, problems) = input(form).draft(for: car, now: Self.now, formats: try formats())
        #expect(draft == nil)
        #expect(Array(problems.keys) == [field])
    }
}
