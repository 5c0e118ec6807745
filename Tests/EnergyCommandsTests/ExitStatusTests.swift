import ArgumentParser
import EnergyModel
import EnergyTestSupport
import Foundation
import ServiceEndpoints
import Testing

@testable import EnergyCommands

struct ExitStatusTests {
    @Test(
        arguments: [
            (EnergyError.Code.invalidInput, 65), (.notFound, 65), (.conflict, 65), (.outOfRange, 65), (.dataLoss, 65),
            (.denied, 77), (.unavailable, 69), (.rateLimited, 69),
        ] as [(EnergyError.Code, Int32)])
    func `what a service says ends the command with the status that the help names`(
        code: EnergyError.Code, status: Int32
    ) throws {
        #expect(CommandFailure(EnergyError(code, "no"), from: .events).exit.rawValue == status)
        #expect(RootCommand.helpMessage().contains("\(status) "))
    }

    @Test func `the help names every status, and no other`() {
        let text = CommandFailure.Exit.help
        let named = Set(text.matches(of: /[0-9]+/).compactMap { Int32($0.output) })
        // The last is the shell's word for a command that SIGPIPE ended.
        #expect(named == [0, 1, 64, 65, 69, 77, 141])
        #expect(RootCommand.helpMessage().contains("77 not permitted"))
    }

    @Test(arguments: [("a phrase", "a phrase."), ("A sentence.", "A sentence."), ("What?", "What?"), ("", "")])
    func `a sentence has one full stop`(text: String, sentence: String) {
        #expect(text.asSentence == sentence)
    }
}

struct PrivacyCommandTests {
    @Test func `of whom nothing was kept it is said so, and asked whether the name is right`() async throws {
        let home = FakeHome()
        let command = try await RootCommand.asyncParseAsRoot(["privacy", "erase", "--device", "car-7", "--yes"])
        try await (try #require(command as? PrivacyErase)).perform(in: home.context())
        #expect(home.output.lines.count == 1)
        #expect(home.output.text.hasPrefix("Nothing was kept of "))
        #expect(home.output.text.contains("car-7") && home.output.text.hasSuffix("Is it spelt like this?"))
    }

    @Test func `a failure at the first service is told as a sentence, and that nothing was erased`() async throws {
        let home = FakeHome()
        home[.guidance].isDown = true
        let command = try await RootCommand.asyncParseAsRoot(
            ["privacy", "erase", "--venue", Samples.home.id.uuidString, "--device", "car-7", "--yes"])
        let failure = await #expect(throws: CommandFailure.self) {
            try await (try #require(command as? PrivacyErase)).perform(in: home.context())
        }
        #expect(failure?.exit == .unavailable)
        #expect(failure?.message.contains("..") == false)
    }
}
