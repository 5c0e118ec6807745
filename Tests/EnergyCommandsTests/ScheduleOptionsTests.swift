import ArgumentParser
import EnergyModel
import EnergyWire
import Testing

@testable import EnergyCommands

/// What is said of powers, objectives and starts on the command line.
struct ScheduleOptionsTests {
    private let home = FakeHome()

    @Test func `a vehicle is added in amperes`() async throws {
        try await run(
            home, "schedule", "add-device", "--device", "zoe", "--name", "Zoe", "--battery", "52", "--current-max",
            "32",
            "--current-min", "6", "--current-step", "1", "--phases", "1", "--voltage", "231")
        let vehicle = try #require(home.now.devices.last?.vehicle)
        #expect(vehicle.powerMax.milliwatts == 7_392_000 && vehicle.powerMin.milliwatts == 1_386_000)
        #expect(vehicle.currentStep == .init(milliamperes: 1_000, millivolts: 231_000))
        #expect(vehicle.step?.milliwatts == 231_000)
    }

    @Test(arguments: [
        ["schedule", "rules", "--device", "a", "--min-soc"], ["schedule", "rules", "--device", "a", "--max-runs"],
        ["schedule", "add-device", "--device", "a", "--name", "b", "--battery"],
    ])
    func `a number below 0 is no missing value`(arguments: [String]) async {
        do { _ = try await RootCommand.asyncParseAsRoot(arguments + ["-5"]) } catch {
            #expect(!RootCommand.fullMessage(for: error).contains("Missing value"))
        }
    }

    @Test(arguments: [
        ["schedule", "add-device", "--device", "a", "--name", "b", "--current-step", "1"],
        [
            "schedule", "add-device", "--device", "a", "--name", "b", "--battery", "70", "--power", "7",
            "--current-max", "16",
        ],
        [
            "schedule", "add-device", "--device", "a", "--name", "b", "--battery", "70", "--current-max", "16",
            "--current-step", "1",
        ],
        ["schedule", "objective", "money", "--carbon", "1"], ["schedule", "objective", "--carbon", "-1"],
        ["schedule", "objective", "--money", "0"], ["schedule", "objective", "cheap"],
        ["schedule", "rules", "--device", "a", "--start-cost", "-1"],
        ["schedule", "rules", "--device", "a", "--min-soc", "30", "--none"],
    ])
    func `wrong usage is exit status 64`(arguments: [String]) async {
        let error = await #expect(throws: (any Error).self) { _ = try await RootCommand.asyncParseAsRoot(arguments) }
        #expect(error.map { RootCommand.exitCode(for: $0).rawValue } == 64)
    }
}
