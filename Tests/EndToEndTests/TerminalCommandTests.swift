import EnergyModel
import Foundation
import Testing

/// The commands that are no listing, in the same terminals: those that change something, and those that write data.
extension EndToEnd.Terminal {
    private static let car = ["--device", Household.car.id]

    /// What changes something, and may be said again. Each says what it did, within the width.
    private static func changes(_ installation: Installation) -> [[String]] {
        let (folder, keys) = (installation.folder, ["--keys", installation.keyFolder])
        return [
            ["venues", "weigh", "E2E Home", "0.6"],
            [
                "rate-plans", "import", "\(folder)/plan.yaml", "--format", "evcc", "--time-zone", Household.zone,
                "--id",
                "e2e-plan",
            ],
            ["rate-plans", "check", "\(folder)/plan.yaml", "--format", "evcc", "--time-zone", Household.zone],
            ["demand-response", "add", "--start", "3h", "--for", "1h", "--reason", "Again"],
            ["schedule", "preview", "--ready-by", "07:00", "--soc", "80"] + car + venue,
            ["schedule", "set", "--ready-by", "07:00", "--soc", "80"] + car + venue,
            ["schedule", "rules", "--price-max", "0.5"] + car + venue, ["schedule", "now"] + car + venue,
            ["schedule", "pause"] + car + venue,
            ["schedule", "stop"] + car + venue, ["schedule", "clear"] + car + venue,
            ["schedule", "limits", "clear"] + venue, ["schedule", "forecast", "clear"] + venue,
            ["schedule", "objective", "money"] + venue,
            ["schedule", "add-device", "--name", "Test car", "--battery", "70", "--power", "11"] + car + venue,
            ["insights", "rebuild"], ["log", "backup"], ["keys", "rotate", "guest"] + keys,
            ["keys", "show", "guest"] + keys, ["keys", "bundle", "guest"] + keys,
            ["audit", "verify", "--state", "\(folder)/state/guidance-publisher"],
            ["audit", "list", "--state", "\(folder)/state/guidance-publisher"],
            ["store", "backup", "--state", "\(folder)/state", "--to", "\(folder)/copies"],
        ]
    }

    /// What writes data for programs: lines are as long as they are, and never coloured.
    private static let data: [[String]] = [
        ["rate-plans", "export", "e2e-plan", "--format", "urdb"],
        ["insights", "export", "--format", "csv"] + venue, ["insights", "repairs", "export"] + venue,
        ["sessions", "export"] + venue, ["log", "export"], ["schedule", "solve", "--schema"],
        ["schedule", "limits", "set", "--schema"], ["schedule", "forecast", "set", "--schema"],
        ["privacy", "export"] + venue,
    ]

    /// What is tried elsewhere, because it may be said once only, waits for news, or needs a file of its own.
    private static let elsewhere: Set<String> = [
        "venues add", "venues remove", "schedule remove-device", "demand-response import", "demand-response cancel",
        "rate-plans remove", "insights repair",
        "insights repairs withdraw", "insights repairs import", "sessions import", "schedule resume", "schedule skip",
        "signals push",
        "watch", "log import", "log restore", "log readers remove", "keys init", "keys server", "keys client",
        "keys revoke", "keys qr", "keys password", "privacy erase", "store migrate",
        "store restore",
    ]

    @Test(.timeLimit(.minutes(10)))
    func `what changes something says so within the width, and data are as they are, in every terminal`()
        async throws
    {
        try await Installation.with(.keys) { installation in
            try await furnish(installation)
            let guest = [
                "keys", "client", "guest", "--allow", "guidance", "--keys", installation.keyFolder,
            ]
            #expect(try await installation.energyctl(guest).status == .code(0))
            for command in Self.changes(installation) {
                for look in Self.looks { try await check(command, look, installation) }
                try await checkClosedPipe(command, installation)
            }
            for command in Self.data {
                let plain = Look(output: .pipe, variables: ["TERM": "xterm"], hasColor: false)
                try await check(command, plain, installation)
                let narrow = try await installation.energyctl(command, output: .terminal(columns: 50))
                #expect(narrow.status == .code(0) && !narrow.output.contains("\u{1B}"), "\(command)")
                try await checkClosedPipe(command, installation)
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `every command explains itself within the width, without colour, and ends quietly where nobody reads`()
        async throws
    {
        try await Installation.with(.ipc, services: []) { installation in
            for path in try await leaves(installation) {
                let help = path.split(separator: " ").map(String.init) + ["--help"]
                for look in Self.looks { try await check(help, look, installation) }
                try await checkClosedPipe(help, installation)
            }
        }
    }

    @Test func `no command is left out`() async throws {
        try await Installation.with(.ipc, services: []) { installation in
            let leaves = Set(try await leaves(installation))
            let tried = (Self.listings + Self.changes(installation) + Self.data).compactMap { path($0, leaves) }
            #expect(leaves.subtracting(tried).subtracting(Self.elsewhere) == [])
            #expect(Self.elsewhere.subtracting(leaves) == [] && Self.elsewhere.intersection(tried) == [])
        }
    }

    /// The command that is meant, for a group its default.
    private func path(_ arguments: [String], _ leaves: Set<String>) -> String? {
        let words = arguments.prefix { !$0.hasPrefix("-") }
        for count in stride(from: words.count, to: 0, by: -1) {
            let start = words.prefix(count).joined(separator: " ")
            for path in [start, start + " list", start + " show", start + " sources"] where leaves.contains(path) {
                return path
            }
        }
        return nil
    }

    /// Every command that does something, as its words.
    private func leaves(_ installation: Installation) async throws -> [String] {
        struct Dump: Decodable { let command: Command }
        struct Command: Decodable {
            let commandName: String
            let subcommands: [Command]?

            func leaves(_ before: [String]) -> [String] {
                let below = (subcommands ?? []).filter { $0.commandName != "help" }
                return below.isEmpty
                    ? [before.joined(separator: " ")] : below.flatMap { $0.leaves(before + [$0.commandName]) }
            }
        }
        let dump = try await installation.energyctl("--experimental-dump-help")
        return try JSONDecoder().decode(Dump.self, from: Data(dump.output.utf8)).command.leaves([])
    }
}
