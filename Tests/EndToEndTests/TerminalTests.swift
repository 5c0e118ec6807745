import EnergyModel
import Foundation
import Testing

extension EndToEnd {
    /// Every command that shows something, as people see it, against a running home.
    struct Terminal {
        static let venue = ["--venue", "E2E Home"]

        /// Those that end by themselves and change nothing.
        static let listings: [[String]] = [
            ["venues"], ["venues", "plans"], ["rate-plans", "list"], ["rate-plans", "show", "e2e-plan"],
            ["demand-response", "list"],
            ["guidance"] + venue, ["guidance", "--explain"] + venue, ["events"] + venue,
            ["insights"] + venue, ["insights", "--by", "cleanliness", "--by", "tariff"] + venue,
            ["insights", "--explain"] + venue, ["insights", "trend", "--last", "7d", "--granularity", "daily"] + venue,
            ["insights", "repairs"] + venue, ["sessions", "list"] + venue, ["activity"] + venue,
            ["schedule"] + venue, ["schedule", "devices"] + venue, ["schedule", "limits"] + venue,
            ["schedule", "forecast"] + venue, ["schedule", "objective"] + venue, ["signals"],
            ["signals", "test", "--region", "CISO"], ["health"], ["doctor"],
            ["log", "readers"], ["log", "sessions"] + venue, ["log", "verify"], ["keys", "list"], ["--help"],
            ["schedule", "set", "--help"], ["--version"],
        ]

        struct Look: CustomTestStringConvertible {
            let output: ChildProcess.Output
            let variables: [String: String]
            let hasColor: Bool
            var testDescription: String { "\(output) \(variables)" }
        }

        static let looks: [Look] = [
            Look(output: .terminal(columns: 80), variables: ["TERM": "xterm"], hasColor: true),
            Look(output: .terminal(columns: 40), variables: ["TERM": "xterm", "NO_COLOR": "1"], hasColor: false),
            Look(output: .terminal(columns: 60), variables: ["TERM": "dumb"], hasColor: false),
            Look(output: .pipe, variables: ["TERM": "xterm"], hasColor: false),
        ]

        @Test(.timeLimit(.minutes(10)))
        func `every listing fits the terminal, is coloured only there, and ends quietly where nobody reads`()
            async throws
        {
            try await Installation.with(.keys) { installation in
                try await furnish(installation)
                for listing in Self.listings {
                    // Keys are looked for where the installation has them.
                    let command =
                        ["keys", "doctor"].contains(listing.first)
                        ? listing + ["--keys", installation.keyFolder] : listing
                    for look in Self.looks { try await check(command, look, installation) }
                    try await checkClosedPipe(command, installation)
                }
            }
        }

        func check(_ command: [String], _ look: Look, _ installation: Installation) async throws {
            let result = try await installation.energyctl(command, output: look.output, variables: look.variables)
            let name = "\(command.joined(separator: " ")) (\(look.testDescription))"
            #expect(result.status == .code(0), "\(name): \(result.error)")
            #expect(!result.output.isEmpty, "\(name)")
            let bare = result.output.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
            #expect(!bare.contains("\u{1B}"), "\(name)")
            #expect(look.hasColor || bare == result.output, "\(name) is coloured")
            guard case .terminal(let columns) = look.output else { return }
            for line in bare.split(separator: "\n") where line.count > columns && isBreakable(line) {
                Issue.record("\(name): \(line.count) columns: \(line)")
            }
        }

        /// A path or a key is told whole, and so is what is quoted for the shell.
        private func isBreakable(_ line: Substring) -> Bool {
            line.replacing(#/'[^']*'| \\$/#, with: "").trimmingCharacters(in: .whitespaces).contains(" ")
        }

        func checkClosedPipe(_ command: [String], _ installation: Installation) async throws {
            let result = try await installation.energyctl(command, output: .closedPipe)
            let name = command.joined(separator: " ")
            #expect(result.status == .code(0) || result.status == .signal(SIGPIPE), "\(name): \(result.status)")
            // What is no part of the answer may be told; that nobody reads the answer is no error.
            #expect(!result.error.contains("Error"), "\(name): \(result.error)")
        }

        /// One of everything that is listed.
        func furnish(_ installation: Installation) async throws {
            let household = try await Household.move(into: installation)
            let guidance = try await household.guidance()
            try await household.submit(household.session(energy: 7_000_000, hoursAgo: 2, token: guidance.token))
            try await household.waitForInsights(energy: 7_000_000)
            let plan = "\(installation.folder)/plan.yaml"
            let text = "currency: USD\ntariffs:\n  grid:\n    type: fixed\n    price: 0.294\n"
            try text.write(toFile: plan, atomically: true, encoding: .utf8)
            for command in [
                [
                    "rate-plans", "import", plan, "--format", "evcc", "--time-zone", Household.zone, "--id", "e2e-plan",
                    "--name", "A contract with quite a long name",
                ],
                [
                    "schedule", "add-device", "--device", Household.car.id, "--name", "A car with a rather long name",
                    "--battery", "70", "--power", "11",
                ] + Self.venue,
                ["schedule", "set", "--device", Household.car.id, "--ready-by", "07:00", "--soc", "80"] + Self.venue,
                // Of more than a day: both of its ends have a date at any time of the day.
                ["demand-response", "add", "--start", "2h", "--for", "25h", "--reason", "A heat wave is expected"],
            ] {
                let result = try await installation.energyctl(command)
                guard result.status == .code(0) else { throw HarnessError("\(command): \(result.error)") }
            }
        }
    }
}
