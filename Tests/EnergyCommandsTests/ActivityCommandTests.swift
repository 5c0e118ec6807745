import ArgumentParser
import EnergyModel
import EnergyTestSupport
import EnergyWire
import Foundation
import Testing

@testable import EnergyCommands

struct ActivityCommandTests {
    private let home = FakeHome { $0.activities = ActivityCommandTests.some }

    private func run(_ arguments: String...) async throws {
        let command = try await RootCommand.asyncParseAsRoot(["activity"] + arguments)
        try await #require(command as? ActivityCommand).perform(in: home.context())
    }

    private static func told(_ number: UInt8, _ status: VehicleStatus.Status, _ time: String) -> ToldActivity {
        let activity = Activity(
            id: Samples.id(number), venueID: Samples.home.id, device: Samples.car, time: Samples.time(time),
            content: .status(
                VehicleStatus(status: status, stateOfCharge: 40, energyMilliwattHours: 30_000_000)))
        return ToldActivity(activity: activity, text: ActivityTeller(in: Samples.berlin).text(activity))
    }

    private static let some = [
        told(1, .pluggedIn, "2026-11-20T17:00:00Z"),
        told(2, .idle(.waitingForCleanerEnergy), "2026-11-20T17:01:00Z"),
        ToldActivity(activity: Activity(ExportTests.session), text: "Charged 12.3 kWh in 2 h\u{1B}[2J"),
    ]

    @Test func `what happened is told, one line each`() async throws {
        try await run()
        #expect(
            home.output.lines == [
                "Fri 20 Nov 18:00  car-1: Plugged in", "Fri 20 Nov 18:01  car-1: Waiting for cleaner energy",
                "Sat 21 Nov 02:00  car-1: Charged 12.3 kWh in 2 h [2J",
            ])
    }

    @Test func `it can be of one device, kind and time`() async throws {
        try await run("--kind", "plug", "--kind", "session")
        home.change { $0.devices += [ManagedDevice(device: Samples.heatPump, venueID: Samples.home.id)] }
        try await run("--device", "heatpump-1")
        try await run("--from", "2026-11-20T18:01", "--to", "2026-11-20T18:02")
        #expect(home.output.lines.count == 2 + 1 + 1)
        #expect(home.output.lines[2] == "Nothing happened in this time.")
        #expect(home.output.lines[3].contains("Waiting"))
        await #expect(throws: (any Error).self) { try await run("--watch", "--from", "1d", "--to", "now") }
    }

    @Test func `a device that only told its status is known, and named where another is not`() async throws {
        home.change { state in
            state.activities = state.activities.map { told in
                let activity = told.activity
                return ToldActivity(
                    activity: Activity(
                        id: activity.id, venueID: activity.venueID,
                        device: Device(id: "quiet", name: "Quiet", kind: .electricVehicle), time: activity.time,
                        content: activity.content), text: told.text)
            }
        }
        try await run("--device", "quiet", "--last", "1h")
        #expect(home.output.lines == ["Nothing happened in this time."])
        let failure = await #expect(throws: CommandFailure.self) { try await run("--device", "car-x") }
        #expect(
            failure?.message == "There is no device 'car-x' at Home. Did you mean 'car-1'? "
                + "Known are: car-1, quiet.")
    }

    @Test func `of many devices some are named, and the rest are counted`() async throws {
        home.change { state in
            state.devices = (1...26).map { number in
                let device = Device(id: "car-\(number + 100)", name: "Car", kind: .electricVehicle)
                return ManagedDevice(device: device, venueID: Samples.home.id)
            }
            state.activities = []
            state.records = []
        }
        let failure = await #expect(throws: CommandFailure.self) { try await run("--device", "car-x") }
        #expect(failure?.message.hasSuffix("car-119, car-120 and 6 more.") == true, "\(failure?.message ?? "")")
    }

    @Test func `what is of one instant is told as of one minute, whatever it is`() async throws {
        let end = "2026-11-20T03:18:46Z"
        var session = ExportTests.session
        session = SessionInsight(
            key: session.key, deviceID: session.deviceID, deviceKind: session.deviceKind, direction: .imported,
            began: session.began, last: Samples.time(end), isOver: true, wasFollowingGuidance: true,
            amount: session.amount, worth: .none)
        home.change {
            $0.activities = [
                ToldActivity(activity: Activity(session), text: "Charged"), Self.told(2, .unplugged, end),
            ]
        }
        try await run()
        #expect(home.output.lines == ["Fri 20 Nov 04:18  car-1: Charged", "Fri 20 Nov 04:18  car-1: Unplugged"])
    }

    @Test func `as JSON it has the words and what was reported`() async throws {
        try await run("--json")
        let document = try JSONSerialization.jsonObject(with: Data(home.output.text.utf8)) as? [String: Any]
        let entries = try #require(document?["entries"] as? [[String: Any]])
        #expect(entries.map { $0["kind"] as? String } == ["plug", "waiting", "session"])
        #expect((entries[1]["status"] as? [String: Any])?["reason"] as? String == "waiting_for_cleaner_energy")
        #expect((entries[2]["session"] as? [String: Any])?["device_id"] as? String == "car-1")
        #expect(entries[1]["text"] as? String == "Waiting for cleaner energy")
    }

    @Test func `watching tells each thing once, as it happens`() async throws {
        let task = Task { try await run("--watch") }
        _ = await home.output.line(containing: "Charged")
        home.change { $0.activities.append(Self.told(4, .unplugged, "2026-11-21T07:19:00Z")) }
        home.announce(Interval(start: Samples.now, milliseconds: 1))
        _ = await home.output.line(containing: "Unplugged")
        home.change { $0.activities.append(Self.told(5, .pluggedIn, "2026-11-21T07:19:30Z")) }
        home.announce(Interval(start: Samples.now, milliseconds: 1))
        _ = await home.output.line(containing: "08:19  car-1: Plugged in")
        #expect(home.output.lines.count == 5)
        task.cancel()
    }

    @Test func `a session is news when it begins, and again when it is over`() {
        var shown = ShownActivities()
        func entry(isOver: Bool) -> ToldActivity {
            let session = SessionInsight(
                key: SessionKey(venueID: Samples.home.id, sessionID: Samples.id(9)), deviceID: "car-1",
                deviceKind: .electricVehicle, direction: .imported, began: Samples.now, last: Samples.now,
                isOver: isOver, wasFollowingGuidance: false, amount: .zero, worth: .none)
            return ToldActivity(activity: Activity(session), text: "")
        }
        #expect([false, false, true, true].map { shown.new(among: [entry(isOver: $0)]).count } == [1, 0, 1, 0])
    }
}
