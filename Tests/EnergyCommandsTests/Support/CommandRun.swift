import ArgumentParser
import Foundation
import Testing

@testable import EnergyCommands

/// Parses a command line as `energyctl` does, and performs it in a home.
func run(_ home: FakeHome, _ arguments: String...) async throws {
    let command = try await RootCommand.asyncParseAsRoot(arguments)
    let energyCommand = try #require(command as? any EnergyCommand)
    try await energyCommand.perform(in: home.context())
}

func json(_ home: FakeHome) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(home.output.text.utf8))
    return try #require(object as? [String: Any])
}
