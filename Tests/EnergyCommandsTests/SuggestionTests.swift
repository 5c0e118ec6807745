import ArgumentParser
import EnergyModel
import EnergyWire
import Foundation
import ServiceEndpoints
import Testing

@testable import EnergyCommands

struct SuggestionTests {
    private let home = FakeHome()

    @Test(arguments: [
        (["guidnce"], "energyctl guidance"), (["schedule", "sett"], "energyctl schedule set"),
        (["insights", "repairs", "withdrw", "--json"], "energyctl insights repairs withdraw"),
        (["docter", "--timeout", "1s"], "energyctl doctor"), (["scedule", "set"], "energyctl schedule"),
        (["devices"], "energyctl schedule devices"), (["schedule", "list"], "energyctl schedule"),
        (["signals", "list"], "energyctl signals"),
    ])
    func `a mistyped command is answered with the one that was meant`(arguments: [String], meant: String) async {
        let error = await #expect(throws: (any Error).self) { _ = try await RootCommand.asyncParseAsRoot(arguments) }
        let message = error.map { RootCommand.fullMessage(for: $0) } ?? ""
        let told = CommandSuggestion.added(to: message, arguments)
        #expect(told.split(separator: "\n").first?.hasSuffix(". Did you mean '\(meant)'?") == true, "\(told)")
        #expect(told.contains("Usage: "))
    }

    @Test func `help about a mistyped command is refused, not answered with another's`() {
        for arguments in [["help", "schedule", "sett"], ["schedule", "sett", "--device", "x", "--help"]] {
            let told = CommandSuggestion.refusal(ofHelp: arguments) ?? ""
            #expect(told.hasPrefix("Error: There is no command 'sett' of 'energyctl schedule'."), "\(told)")
            #expect(told.contains("Did you mean 'energyctl schedule set'?"))
        }
        #expect(CommandSuggestion.refusal(ofHelp: ["help", "frobnicate"])?.contains("Did you mean") == false)
        for arguments in [
            ["help"], ["help", "help"], ["help", "schedule", "set"], ["schedule", "-h"], ["schedule", "sett"],
            ["keys", "qr", "charger", "--help"],
        ] {
            #expect(CommandSuggestion.refusal(ofHelp: arguments) == nil, "\(arguments)")
        }
    }

    @Test func `an option that is far from what was said is no guess`() {
        let far = "Error: Unknown option '--csv'. Did you mean '--to'?\nUsage: energyctl"
        #expect(
            CommandSuggestion.added(to: far, ["events", "--csv"]) == "Error: Unknown option '--csv'\nUsage: energyctl")
        let near = "Error: Unknown option '--jsn'. Did you mean '--json'?\nUsage: energyctl"
        #expect(CommandSuggestion.added(to: near, ["events", "--jsn"]) == near)
    }

    @Test func `an option that there is not is named before what a value lacks`() {
        let lack = "Error: Say just one of --energy, --soc, --reduce and --run.\nUsage: energyctl"
        #expect(
            CommandSuggestion.added(to: lack, ["schedule", "preview", "--device", "car", "--sco", "90"])
                == "Error: Unknown option '--sco'. Did you mean '--soc'?\nUsage: energyctl")
        #expect(
            CommandSuggestion.added(to: lack, ["schedule", "--device=car", "--percent=90"])
                == "Error: Unknown option '--percent'\nUsage: energyctl")
        for words in [["schedule", "preview", "--device=car"], ["schedule", "--json", "--venue", "x"]] {
            #expect(CommandSuggestion.added(to: lack, words) == lack, "\(words)")
        }
    }

    @Test(arguments: [["frobnicate"], ["guidance", "now"], ["--jsn"], []])
    func `what is near to nothing gets no guess`(arguments: [String]) {
        #expect(CommandSuggestion.nearest(to: arguments) == nil)
    }

    @Test func `a mistyped venue is answered with the one that was meant`() async {
        let failure = await #expect(throws: CommandFailure.self) { try await run(home, "guidance", "--venue", "hme") }
        #expect(failure?.message.contains("'hme'. Did you mean 'Home'?") == true)
        let far = await #expect(throws: CommandFailure.self) { try await run(home, "guidance", "--venue", "Atlantis") }
        #expect(far?.message.contains("Did you mean") == false)
    }

    @Test(arguments: [
        ["schedule", "--device", "cra-1"], ["insights", "--device", "car1"],
    ])
    func `a mistyped device is answered with the one that was meant`(arguments: [String]) async throws {
        home.change { state in
            state.schedules = []
            state.records = []
        }
        let command = try await RootCommand.asyncParseAsRoot(arguments)
        let energyCommand = try #require(command as? any EnergyCommand)
        let failure = await #expect(throws: CommandFailure.self) { try await energyCommand.perform(in: home.context()) }
        #expect(failure?.message.contains("Did you mean 'car-1'?") == true, "\(failure?.message ?? "")")
    }

    @Test func `events of a mistyped device say so beside the empty answer`() async throws {
        try await run(home, "events", "--device", "cra-1")
        #expect(home.output.lines == ["No events."])
        #expect(home.output.notes.contains { $0.contains("Did you mean 'car-1'?") })
    }
}

struct CompletionTests {
    private let home = FakeHome()

    @Test func `venues, devices, plans and regions are completed from what the services know`() async {
        home.change {
            $0.sources = [
                RegionSource(region: "DE", status: SignalSourceStatus(name: "a", kind: .price)),
                RegionSource(region: "DE", status: SignalSourceStatus(name: "b", kind: .averageDirect)),
            ]
        }
        let names = KnownNames(home.context())
        #expect(await names.venues() == ["Home"])
        #expect(await names.devices() == ["car-1"])
        #expect(await names.ratePlans() == ["tou"])
        #expect(await names.regions() == ["DE"])
    }

    @Test func `events that stand and readers of the log are completed too`() async {
        func event(_ number: UInt8, hours: Int64) -> DemandResponseEvent {
            DemandResponseEvent(
                id: Samples.id(number), kind: .reduce, scope: .all,
                interval: Interval(
                    start: Samples.now.advanced(byMilliseconds: hours * .millisecondsPerHour),
                    milliseconds: .millisecondsPerHour), reason: "", declared: Samples.now)
        }
        home.change { state in
            state.demandResponse = [event(7, hours: -3), event(8, hours: 3)]
            state.readers = [LogReaderState(name: "insights", handled: [], lastSeen: Samples.now, isGivenUp: false)]
        }
        let names = KnownNames(home.context())
        #expect(await names.demandResponseEvents() == [Samples.id(8).text])
        #expect(await names.logReaders() == ["insights"])
    }

    @Test(
        arguments: [
            ("bash", "'insights repairs -'*) count=2 verb=list", "__energyctl_say_default_verb\n"),
            ("zsh", "'insights repairs -'*) count=3 verb=list", "__energyctl_find_default_verb\n"),
            ("fish", "case 'insights repairs -*'", "(__energyctl_say_default_verb (__energyctl_tokens -pc))"),
        ])
    func `a default verb that was left out is said for the shell`(shell: String, branch: String, call: String) async {
        let error = await #expect(throws: (any Error).self) {
            _ = try await RootCommand.asyncParseAsRoot(["--generate-completion-script", shell])
        }
        let script = CompletionScript.knowingDefaults(error.map { RootCommand.fullMessage(for: $0) } ?? "")
        #expect(script.contains(branch) && script.contains(call))
        #expect(shell != "zsh" || script.hasPrefix("#compdef energyctl\n"))
    }

    @Test func `without services nothing is completed, and nothing said`() async {
        for service in [home[.guidance], home[.schedule]] { service.isDown = true }
        let names = KnownNames(home.context())
        #expect(await names.venues().isEmpty)
        #expect(await names.devices().isEmpty)
        #expect(home.output.notes.isEmpty && home.output.lines.isEmpty)
    }

    @Test(
        arguments: [
            (["energyctl", "--client", "a.yaml", "guidance"], "a.yaml"), (["--client='b c.yaml'"], "b c.yaml"),
            (["--client"], nil), (["guidance"], nil),
        ] as [([String], String?)])
    func `the client that the line names is the one that is asked as`(words: [String], file: String?) {
        #expect(KnownNames.value(of: "--client", in: words) == file)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `each shell's script asks for what services know`(shell: String) async {
        let error = await #expect(throws: (any Error).self) {
            _ = try await RootCommand.asyncParseAsRoot(["--generate-completion-script", shell])
        }
        let script = error.map { RootCommand.fullMessage(for: $0) } ?? ""
        #expect(script.contains("--venue") || script.contains("-l 'venue'"))
        #expect(script.contains("---completion"))
    }
}
