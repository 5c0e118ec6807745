import ArgumentParser
import EnergyModel
import EnergyTransport
import EnergyWire
import Foundation
import ServiceEndpoints
import Synchronization
import Testing

@testable import EnergyCommands

struct ScheduleCommandTests {
    private let home = FakeHome()

    @Test func `schedules are shown with the device's name`() async throws {
        try await run(home, "schedule")
        #expect(home.output.lines[0] == "Model Y (car-1) · 22.00 kWh by Sat 21 Nov 11:00")
    }

    @Test func `a device that the scheduler does not know is refused, as JSON too`() async throws {
        for option in ["--venue=Home", "--json"] {
            let failure = await #expect(throws: CommandFailure.self) {
                try await run(home, "schedule", "show", "--device=nobody", option)
            }
            #expect(failure?.exit == .refused)
            #expect(failure?.message.contains("knows no device 'nobody'") == true)
        }
        #expect(home.output.lines.isEmpty)
    }

    @Test func `schedules as JSON`() async throws {
        try await run(home, "schedule", "--json")
        let schedule = try #require((try json(home)["schedules"] as? [[String: Any]])?.first)
        #expect(schedule["missing_mwh"] as? Int == 0)
        #expect((schedule["goal"] as? [String: Any])?["energy_mwh"] as? Int == 22_000_000)
        #expect((schedule["blocks"] as? [[String: Any]])?[0]["reason"] as? String == "waiting_for_cleaner_energy")
    }

    @Test func `goals are set for the next such time at the venue`() async throws {
        try await run(home, "schedule", "set", "--device", "car-1", "--ready-by", "07:00", "--soc", "80")
        try await run(home, "schedule", "set", "--device", "car-1", "--ready-by", "2h", "--energy", "12.5")
        try await run(home, "schedule", "set", "--device", "heatpump-1", "--ready-by", "22:00", "--reduce", "90")
        let goals = home.now.goals
        #expect(goals[0].readyBy.iso8601(in: Samples.berlin) == "2026-11-22T07:00:00+01:00")
        #expect(
            goals.map(\.target) == [
                .stateOfCharge(80), .energy(Energy(milliwattHours: 12_500_000)), .reduce(maxMilliseconds: 5_400_000),
            ])
    }

    @Test func `a change that nobody answers in time says that it may have been made`() async throws {
        home.change { $0.isSlow = true }
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(home, "schedule", "set", "--device", "car-1", "--ready-by", "07:00", "--soc", "80")
        }
        #expect(failure?.exit == .unavailable)
        #expect(failure?.message.contains("may have been done, or may be yet: energyctl schedule shows it") == true)
    }

    @Test func `a goal that repeats has the deadline's time of day, and may leave days out`() async throws {
        try await run(
            home, "schedule", "set", "--device", "car-1", "--ready-by", "07:15", "--every", "fri-mon", "--except",
            "2026-12-25", "--soc", "80", "--add")
        let goal = try #require(home.now.goals.first)
        #expect(
            goal.weekly
                == WeeklyTime(weekdays: Weekdays(rawValue: 0b111_0001), minuteOfDay: 7 * 60 + 15, exceptions: [20_812]))
        #expect(goal.keepsOthers)
    }

    @Test func `rules are set and told`() async throws {
        try await run(
            home, "schedule", "rules", "--device", "car-1", "--min-soc", "30", "--price-max", "0.355", "--away",
            "mon-fri 08:00-17:30", "--away", "2026-12-20T10:00/2026-12-27")
        let rules = try #require(home.now.rules.first?.rules)
        #expect(rules.priceMax == Price(microsPerKilowattHour: 355_000))
        #expect(rules.absences.count == 2)
        #expect(
            home.output.lines == [
                "charged at once up to 30 %, by what it tells of its charge", "not above 0.355 per kWh",
                "away mon-fri 08:00-17:30",
                "away Sun 20 Dec 10:00 to Sun 27 Dec 00:00",
            ])
    }

    @Test func `rules say how charging may be switched`() async throws {
        try await run(
            home, "schedule", "rules", "--device", "car-1", "--min-run", "30m", "--min-pause", "2h", "--one-block",
            "--late", "--margin", "45m", "--precondition", "20m")
        #expect(
            home.now.rules.first?.rules.shape
                == ChargingShape(
                    runMinMilliseconds: 1_800_000, pauseMinMilliseconds: 7_200_000, runsMax: 1, ties: .later,
                    marginMilliseconds: 2_700_000, preconditionMilliseconds: 1_200_000))
        #expect(
            home.output.lines == [
                "runs of at least 30 min", "pauses of at least 2 h", "all in one run", "late rather than early",
                "ready 45 min before its deadlines", "at full power for 20 min before its last deadline",
            ])
    }

    @Test func `what the owner wants is passed on`() async throws {
        for command in ["now", "pause", "resume", "stop", "skip"] {
            try await run(home, "schedule", command, "--device", "car-1")
        }
        #expect(home.now.overrides.map(\.action) == [.chargeNow, .pause, .resume, .stop, .skipNext])
    }

    @Test func `a preview shows three courses`() async throws {
        try await run(home, "schedule", "preview", "--device", "car-1", "--ready-by", "07:00", "--soc", "80")
        let lines = home.output.lines
        #expect(lines[1].hasPrefix("planned") && lines[1].contains("6.600") && lines[1].contains("22.00"))
        #expect(lines[2].hasPrefix("at once") && lines[2].contains("8.800"))
        #expect(lines[3].hasPrefix("at best") && lines[3].contains("?") && lines[3].contains("1.00"))
        #expect(lines[4] == "Waits for the sun at noon.")
        #expect(home.now.goals.isEmpty)
        let other = FakeHome()
        try await run(other, "schedule", "preview", "--device", "car-1", "--ready-by", "07:00", "--soc", "80", "--json")
        #expect(other.output.text.contains("\"cost_micros\" : 6600000"))
    }

    @Test func `a goal is cleared`() async throws {
        try await run(home, "schedule", "clear", "--device", "car-1")
        #expect(home.now.schedules.isEmpty)
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(home, "schedule", "clear", "--device", "toaster")
        }
        #expect(failure?.exit == .refused)
    }

    @Test func `a goal that is not there is not said to be taken away, and those that are there are named`() async {
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(home, "schedule", "clear", "--device", "car-1", "--goal", Samples.id(9).uuidString)
        }
        #expect(failure?.exit == .refused)
        #expect(failure?.message.contains(Samples.schedule().goal.id.text) == true)
        #expect(home.output.lines.isEmpty && !home.now.schedules.isEmpty)
    }

    @Test func `a goal that is there already is said to be, beside the plan`() async throws {
        try await run(home, "schedule", "set", "--device", "car-1", "--ready-by", "11:00", "--energy", "22")
        #expect(home.output.notes == ["The goal is there already; the device's plan was made anew."])
        #expect(!home.output.lines.isEmpty)
    }

    @Test func `devices are listed and added`() async throws {
        try await run(home, "schedule", "add-device", "--device", "hp", "--name", "Pump")
        #expect(home.now.devices.last?.device.kind == .hvac)
        try await run(home, "schedule", "devices", "--json")
        let text = home.output.text
        #expect(text.contains("\"battery_capacity_mwh\" : 75000000"))
    }
}
