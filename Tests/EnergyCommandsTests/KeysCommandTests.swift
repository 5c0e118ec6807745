import ArgumentParser
import EnergyModel
import EnergyTestSupport
import EnergyTransport
import Foundation
import KeyFiles
import ServiceEndpoints
import Testing
import ZeroMQ
import ZeroMQTransport

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
        // What starts an installation anew need not know whether it is the first time.
        try await run("init", "--if-missing")
        #expect(try ClientFile(path: "\(folder)/owner.yaml").keys?.own.publicKey == owner.keys?.own.publicKey)
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

    @Test func `a service's key is announced, then changed, and files know it before and after`() async throws {
        try await run("init")
        try await run("client", "charger", "--allow", "guidance")
        func guidanceKeys() throws -> [CurveKey] {
            try #require(owner("\(folder)/charger.yaml")?.security(for: .guidance)).serverKeys()
        }
        let (old, secret) = (try guidanceKeys(), owner("\(folder)/charger.yaml")?.own)
        #expect(old.count == 1)
        let unannounced = await #expect(throws: CommandFailure.self) {
            try await run("rotate", "guidance-publisher", "--finish")
        }
        #expect(unannounced?.message.contains("has no new key") == true)
        try await run("rotate", "guidance-publisher")
        #expect(try Self.mode("\(folder)/guidance-publisher.next.key") == 0o600)
        let twice = await #expect(throws: CommandFailure.self) { try await run("rotate", "guidance-publisher") }
        #expect(twice?.message.contains("--finish") == true)
        try await run("bundle", "charger")
        let both = try guidanceKeys()
        #expect(both.count == 2 && both.first == old.first)
        #expect(owner("\(folder)/charger.yaml")?.own == secret)
        try await run("rotate", "guidance-publisher", "--finish", "--overlap", "1d")
        let file = try KeyFile(path: "\(folder)/guidance-publisher.key")
        #expect(file.keys.publicKey == both.last)
        let list = try KeyFolder(path: folder).access()
        #expect(list.serviceKeys("guidance-publisher", at: Samples.now) == [both[1], both[0]])
        let later = Samples.now.advanced(byMilliseconds: 2 * 86_400_000)
        #expect(list.serviceKeys("guidance-publisher", at: later) == [both[1]])
        #expect(list.principals(at: Samples.now)[both[0].text]?.name == "guidance-publisher")
        #expect(list.principals(at: later)[both[0].text] == nil)
    }

    @Test func `a service's process on another host has a key of its own, made once`() async throws {
        try await run("init")
        try await run("server", "event-ingestor", "--host", "cabin", "--json")
        try await run("server", "event-ingestor", "--host", "cabin", "--json")
        let list = try KeyFolder(path: folder).access()
        let file = try KeyFile(path: "\(folder)/event-ingestor.on.cabin.key")
        #expect(list.further["event-ingestor"]?.hosts == ["cabin": file.keys.publicKey])
        #expect(list.principals(at: Samples.now)[file.keys.publicKey.text]?.name == "event-ingestor")
        try await run("client", "charger", "--allow", "events")
        let keys = try #require(owner("\(folder)/charger.yaml")?.security(for: .events)).serverKeys()
        #expect(keys == [list.services["event-ingestor"], file.keys.publicKey])
        try await run("server", "event-ingestor")
        #expect(home.output.text.contains(file.keys.publicKey.text))
        #expect(!home.output.text.contains(file.keys.secretKey.text))
    }

    @Test(arguments: [
        (["server", "charger"], "there are: device-simulator"),
        (["server", "scheduler", "--host", "../x"], "is no name"),
        (["rotate", "nobody"], "no client is called"), (["rotate", "owner", "--finish"], "is for services"),
        (["rotate", "scheduler", "--output", "x"], "is for clients"),
        (["bundle", "nobody"], "no client is called 'nobody'"),
        (["qr", "nobody"], "no client is called 'nobody'"), (["qr", "../owner"], "is no name"),
        (["qr", "owner", "--svg", "FOLDER/owner.yaml"], "is there already"),
        (["client", "x", "--allow", "events", "--output", "FOLDER/owner.yaml"], "is there already"),
        (["client", "x", "--allow", "events", "--output", "FOLDER/none/x.yaml"], "there is no folder FOLDER/none"),
        (["rotate", "owner", "--output", "FOLDER/none/x.yaml"], "there is no folder FOLDER/none"),
        (["password", "A B"], "is no name"),
        (["revoke", "scheduler"], "energyctl keys rotate scheduler --finish"),
        (["revoke", "scheduler", "--host", "cabin"], "it has none on any other host"),
        (["revoke", "owner", "--host", "cabin"], "no service is called 'owner'"),
        (["client", "local", "--allow", "events"], "no client may be called 'local'"),
    ])
    func `what cannot be done is refused in a sentence, and nothing is changed`(
        arguments: [String], part: String
    ) async throws {
        try await run("init")
        let before = try KeyFolder(path: folder).access()
        let words = arguments.map { $0.replacing("FOLDER", with: folder) }
        let command = try await RootCommand.asyncParseAsRoot(["keys"] + words + ["--keys", folder])
        let failure = await #expect(throws: CommandFailure.self) {
            try await (try #require(command as? any EnergyCommand)).perform(in: home.context())
        }
        #expect(failure?.message.contains(part.replacing("FOLDER", with: folder)) == true, "\(failure?.message ?? "")")
        #expect(try KeyFolder(path: folder).access() == before)
    }

    @Test func `old keys that still open are listed and shown, all of them`() async throws {
        try await run("init")
        try await run("client", "tablet", "--allow", "insights")
        try await run("list")
        #expect(!home.output.text.contains("old keys"))
        try await run("rotate", "tablet", "--overlap", "2d")
        try await run("rotate", "tablet", "--overlap", "1h")
        let untils = [3_600_000, 2 * 86_400_000].map { "\(Samples.now.advanced(byMilliseconds: $0))" }
        try await run("list")
        #expect(home.output.text.contains("old keys until"))
        for until in untils { #expect(home.output.text.contains(until)) }
        try await run("show", "tablet")
        for until in untils { #expect(home.output.text.contains("opens until \(until)")) }
        try await run("show", "tablet", "--json")
        #expect(home.output.text.contains("\"old_keys\""))
        try await run("rotate", "scheduler")
        try await run("rotate", "scheduler", "--finish", "--overlap", "3h")
        try await run("show", "scheduler")
        #expect(home.output.text.contains("opens until \(Samples.now.advanced(byMilliseconds: 3 * 3_600_000))"))
    }

    @Test func `no code is shown of a client that was revoked, or of a key that opens no longer`() async throws {
        try await run("init")
        try await run("client", "charger", "--allow", "events")
        let old = place.path("old.yaml")
        try FileManager.default.copyItem(atPath: "\(folder)/charger.yaml", toPath: old)
        try await run("qr", "charger")
        try await run("revoke", "charger")
        let revoked = await #expect(throws: CommandFailure.self) { try await run("qr", "charger") }
        #expect(revoked?.message.contains("no client is called 'charger'") == true)
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/charger.yaml"), "its name is free")
        try await run("client", "charger", "--allow", "events")
        let outdated = await #expect(throws: CommandFailure.self) { try await run("qr", "charger", "--file", old) }
        #expect(outdated?.message.contains("opens no longer") == true)
    }

    @Test func `a client's file never says the address that stands for all of a host`() async throws {
        let failure = #expect(throws: CommandFailure.self) {
            try Endpoints(option: "guidance=tcp://0.0.0.0:7400,tcp://0.0.0.0:7401")
        }
        #expect(failure?.message.contains("say one of these, or the host's name") == true)
    }

    @Test func `the folder is the option's, else the environment's, else the user's own`() throws {
        let none = try KeyFolderOption.parse([])
        #expect(try none.folder(["GRIDTIDE_KEYS": "/etc/keys", "HOME": "/home/kai"]).path == "/etc/keys")
        #expect(try KeyFolderOption.parse(["--keys", "/a"]).folder(["GRIDTIDE_KEYS": "/b"]).path == "/a")
        #expect(try none.folder(["HOME": "/home/kai"]).path == "/home/kai/.config/gridtide/keys")
        #expect(throws: CommandFailure.self) { try none.folder([:]) }
    }

    @Test func `the client's file is the option's, else the environment's, else the user's own`() async throws {
        try await run("init")
        try await run("client", "charger", "--allow", "events")
        let environment = ["GRIDTIDE_CLIENT": "\(folder)/charger.yaml"]
        let charger = try ClientFile(GlobalOptions.parse([]), environment)
        #expect(charger.keys == owner("\(folder)/charger.yaml") && charger.keys != nil)
        let other = try ClientFile(GlobalOptions.parse(["--client", "\(folder)/owner.yaml"]), environment)
        #expect(other.keys == owner("\(folder)/owner.yaml") && other.keys != nil)
        let home = place.path("home/gridtide")
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: "\(folder)/owner.yaml", toPath: "\(home)/client.yaml")
        let usual = try ClientFile(GlobalOptions.parse([]), ["XDG_CONFIG_HOME": place.path("home")])
        #expect(usual.keys == other.keys)
        #expect(try ClientFile(GlobalOptions.parse([]), [:]).keys == nil)
    }

    @Test func `a client's file says which venues its key was limited to`() async throws {
        try await run("init")
        let venue = UUID()
        try await run("client", "charger", "--allow", "events", "--venue", venue.uuidString)
        #expect(try ClientFile(path: "\(folder)/charger.yaml").venues == [venue])
        #expect(try ClientFile(path: "\(folder)/owner.yaml").venues == nil)
        let wrong = place.path("wrong.yaml")
        try Data("venues: [Home]".utf8).write(to: URL(filePath: wrong))
        let failure = #expect(throws: ClientFileError.self) { try ClientFile(path: wrong) }
        #expect(failure?.message.contains("'Home' is no venue's id") == true)
    }

    @Test(arguments: ["", "# nothing yet", "---"])
    func `a client's file that is named and says nothing is refused`(text: String) throws {
        let path = place.path("empty.yaml")
        try Data(text.utf8).write(to: URL(filePath: path))
        let failure = #expect(throws: CommandFailure.self) {
            try ClientFile(GlobalOptions.parse(["--client", path]), [:])
        }
        #expect(failure?.exit == .usage)
        #expect(failure?.message.contains("is empty") == true)
    }

    @Test func `a login is written as a hash, and changed in place`() async throws {
        try await run("init")
        try await run("password", "prometheus")
        try await run("password", "grafana")
        let path = "\(folder)/http-logins"
        let first = try String(contentsOfFile: path, encoding: .utf8)
        #expect(try Self.mode(path) == 0o600)
        try await run("password", "prometheus", "--json")
        let second = try String(contentsOfFile: path, encoding: .utf8)
        for text in [first, second] {
            let lines = text.split(separator: "\n")
            #expect(Set(lines.map { $0.prefix { $0 != ":" } }) == ["prometheus", "grafana"])
            #expect(lines.count == 2 && lines.allSatisfy { $0.contains(":$argon2id$v=19$m=19456,t=2,p=1$") })
        }
        #expect(first != second)
    }

    @Test func `a rotation keeps the old key for a year at most`() async throws {
        try await run("init")
        let failure = await #expect(throws: CommandFailure.self) { try await run("rotate", "owner", "--overlap", "2y") }
        #expect(failure?.message.contains("a year at most") == true)
    }
}
