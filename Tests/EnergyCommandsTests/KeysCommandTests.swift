import ArgumentParser
import EnergyTestSupport
import Foundation
import KeyFiles
import ServiceEndpoints
import Testing
import ZeroMQ

@testable import EnergyCommands

/// Keys are made and handed over without any service.
struct KeysCommandTests {
    private let home = FakeHome()
    private let place: TemporaryFolder
    private var folder: String { place.path("keys") }

    init() throws { place = try TemporaryFolder() }

    private func run(_ arguments: String...) async throws {
        let command = try await RootCommand.asyncParseAsRoot(["keys"] + arguments + ["--keys", folder])
        try await (try #require(command as? any EnergyCommand)).perform(in: home.context())
    }

    @Test func `keys are made once, and the owner's file opens all services`() async throws {
        try await run("init")
        let owner = try ClientFile(path: "\(folder)/owner.yaml")
        for service in ServiceKind.allCases { #expect(owner.keys?.security(for: service) != nil) }
        let failure = await #expect(throws: CommandFailure.self) { try await run("init") }
        #expect(failure?.message.contains("has its keys") == true)
    }

    @Test func `a client's file says where the services are, as was said when the keys were made`() async throws {
        try await run("init")
        let path = "\(folder)/owner.yaml"
        let text = try String(contentsOfFile: path, encoding: .utf8).replacing("127.0.0.1", with: "hub.local")
        try Data(text.utf8).write(to: URL(filePath: path))
        chmod(path, 0o600)
        try await run("client", "charger", "--allow", "guidance,events", "--venue", UUID().uuidString)
        let charger = try ClientFile(path: "\(folder)/charger.yaml")
        #expect(charger.endpoints[.guidance].requestAddresses == ["tcp://hub.local:7400"])
        #expect(charger.keys?.own != owner(path)?.own)
    }

    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func owner(_ path: String) -> ClientKeys? { (try? ClientFile(path: path))?.keys }

    @Test func `clients are listed, rotated and revoked, and no secret is shown`() async throws {
        try await run("init")
        try await run("client", "tablet", "--allow", "insights")
        let before = try ClientFile(path: "\(folder)/tablet.yaml")
        // Whatever somebody did to the old file, the new secret is its owner's.
        chmod("\(folder)/tablet.yaml", 0o644)
        try await run("rotate", "tablet", "--overlap", "2d")
        #expect(try Self.mode("\(folder)/tablet.yaml") == 0o600)
        let after = try ClientFile(path: "\(folder)/tablet.yaml")
        #expect(before.keys?.own != after.keys?.own)
        try await run("list")
        #expect(home.output.text.contains("tablet  insights    all"))
        #expect(home.output.text.contains("owner   everything  all"))
        try await run("show", "tablet")
        #expect(home.output.text.contains("opens until"))
        try await run("revoke", "tablet")
        let secrets = [before, after].compactMap { $0.keys?.own.secretKey.text }
        #expect(secrets.count == 2)
        for secret in secrets { #expect(!home.output.text.contains(secret)) }
        let failure = await #expect(throws: CommandFailure.self) { try await run("show", "tablet") }
        #expect(failure?.message.contains("there are: owner") == true)
    }

    @Test(arguments: [
        ["client", "x", "--allow", "everything"], ["client", "x", "--allow", ""],
        ["client", "x", "--allow", "guidance", "--venue", "home"], ["rotate", "x", "--overlap", "soon"],
    ])
    func `what cannot be allowed is refused, with what can`(arguments: [String]) async throws {
        try await run("init")
        await #expect(throws: (any Error).self) {
            _ = try await RootCommand.asyncParseAsRoot(["keys"] + arguments + ["--keys", folder])
        }
    }

    @Test func `a rotation keeps the old key for a year at most`() async throws {
        try await run("init")
        let failure = await #expect(throws: CommandFailure.self) { try await run("rotate", "owner", "--overlap", "2y") }
        #expect(failure?.message.contains("a year at most") == true)
    }
}
