import EnergyModel
import EnergyTransport
import EnergyWire
import Foundation
import Testing

extension EndToEnd {
    struct Restores {
        @Test(.timeLimit(.minutes(2)))
        func `a backup is restored over the log of a killed ingestor, and insights follow by themselves`()
            async throws
        {
            try await Installation.with(.ipc) { installation in
                let home = try await Household.move(into: installation)
                let token = try await home.guidance().token
                try await home.submit(home.session(energy: 1_000_001, hoursAgo: 9, token: token))
                let backup = try #require(try await installation.json("log", "backup")["file"] as? String)
                for hours in Int64(6)..<8 {
                    try await home.submit(home.session(energy: 2_000_000, hoursAgo: hours, token: token))
                }
                try await home.waitForInsights(energy: 5_000_001)
                let folder = try #require(backup.range(of: "/backups/").map { String(backup[..<$0.lowerBound]) })
                let early = try await installation.energyctl("log", "restore", backup, "--state", folder)
                #expect(early.status == .code(65), "\(early.output)")
                #expect(early.error.contains("stop it first"))

                try await installation.kill(.events)
                let restored = try await installation.json("log", "restore", backup, "--state", folder)
                #expect(restored["records"] as? Int == 1)
                let replaced = try #require(restored["replaced"] as? String)
                #expect(FileManager.default.fileExists(atPath: replaced))
                try await installation.start(.events)
                for hours in Int64(2)..<5 {
                    try await home.submit(home.session(energy: 7_000_000, hoursAgo: hours, token: token))
                }
                try await home.waitForInsights(energy: 22_000_001)
                #expect(try await home.log().count == 20)
                let verified = try await installation.energyctl("log", "verify")
                #expect(verified.status == .code(0), "\(verified.output)")
                // Who restored it stands between the lines of the service that was killed and of the one that goes on.
                let audit = try await installation.energyctl("audit", "verify", "--state", folder)
                #expect(audit.status == .code(0), "\(audit.output)")
                let acts = try await installation.energyctl("audit", "list", "--state", folder)
                #expect(acts.output.contains("action ends  energyctl log restore  OK"), "\(acts.output)")
                let health = try await installation.energyctl("health")
                #expect(health.status == .code(0), "\(health.output)")
            }
        }

        @Test(.timeLimit(.minutes(2)))
        func `every store is backed up while services run, restored over those of killed ones, and all goes on`()
            async throws
        {
            try await Installation.with(.ipc) { installation in
                let home = try await Household.move(into: installation)
                let token = try await home.guidance().token
                try await home.submit(home.session(energy: 1_000_001, hoursAgo: 9, token: token))
                try await home.waitForInsights(energy: 1_000_001)
                let (state, copies) = ("\(installation.folder)/state", "\(installation.folder)/copies")
                let answer = try await installation.json("store", "backup", "--state", state, "--to", copies)
                let made = try #require(answer["backups"] as? [[String: Any]])
                let files = made.compactMap { $0["file"] as? String }
                #expect(made.map { $0["service"] as? String } == ServiceName.servers.map(\.rawValue))

                try await home.submit(home.session(energy: 2_000_000, hoursAgo: 6, token: token))
                try await home.waitForInsights(energy: 3_000_001)
                _ = try await Household.move(into: installation, name: "Later")
                let restore = ["store", "restore"] + files + ["--state", state]
                let early = try await installation.energyctl(restore)
                #expect(early.status == .code(65) && early.error.contains("stop it first"), "\(early.error)")

                // One that is stopped is not restored either while another one runs.
                try await installation.kill(.guidance)
                let half = try await installation.energyctl(restore)
                #expect(half.status == .code(65) && half.error.contains("Nothing was restored."), "\(half.error)")
                let names = try FileManager.default.contentsOfDirectory(atPath: "\(state)/guidance-publisher")
                #expect(!names.contains { $0.contains(".replaced-") || $0.hasSuffix(".restoring") }, "\(names)")

                for service in ServiceName.servers.dropFirst() { try await installation.kill(service) }
                let restored = try await installation.json(restore)["restored"] as? [[String: Any]]
                #expect(restored?.compactMap { $0["replaced"] as? String }.count == files.count)
                try await installation.start(ServiceName.servers)
                try await home.submit(home.session(energy: 7_000_000, hoursAgo: 3, token: token))
                try await home.waitForInsights(energy: 8_000_001)
                #expect(try await home.log().count == 10)
                await #expect(throws: HarnessError.self) {
                    try await Household.find(in: installation, name: "Later")
                }
                for service in ServiceName.servers {
                    let folder = "\(state)/\(service.rawValue)"
                    let audit = try await installation.energyctl("audit", "verify", "--state", folder)
                    #expect(audit.status == .code(0), "\(audit.output)")
                }
            }
        }

        @Test(.timeLimit(.minutes(2)))
        func `repairs come back from their file after the insights were lost`() async throws {
            try await Installation.with(.ipc) { installation in
                let home = try await Household.move(into: installation)
                let token = try await home.guidance().token
                let events = home.session(energy: 8_000_000, hoursAgo: 3, token: token)
                try await home.submit(events)
                try await home.waitForInsights(energy: 8_000_000)
                func repair(_ index: Int, _ energy: String) async throws -> CommandResult {
                    try await installation.energyctl(
                        "insights", "repair", "--session", try #require(events[index].session?.id).uuidString,
                        "--event", events[index].id.uuidString, "--energy", energy, "--reason", "as read off",
                        "--venue", home.venue.name)
                }
                let refused = try await repair(4, "5")
                #expect(refused.status == .code(65), "\(refused.output)")
                #expect(refused.error.contains("--energy must not fall within a session"), "\(refused.error)")
                for energy in ["7.5", "7"] {
                    let repaired = try await repair(4, energy)
                    #expect(repaired.status == .code(0), "\(repaired.error)")
                }
                try await home.waitForInsights(energy: 7_000_000)
                let file = "\(installation.folder)/repairs.json"
                let kept = try await installation.energyctl(
                    "insights", "repairs", "export", "--output", file, "--venue", home.venue.name)
                #expect(kept.status == .code(0), "\(kept.error)")

                try await installation.kill(.insights)
                try FileManager.default.removeItem(
                    atPath: "\(installation.folder)/state/\(ServiceName.insights.rawValue)")
                try await installation.start(.insights)
                try await home.waitForInsights(energy: 8_000_000)
                let restored = try await installation.json(
                    "insights", "repairs", "import", file, "--venue", home.venue.name)
                #expect(restored["repairs_made"] as? Int == 2)
                try await home.waitForInsights(energy: 7_000_000)
                let again = try await installation.json(
                    "insights", "repairs", "import", file, "--venue", home.venue.name)
                #expect(again["repairs_known"] as? Int == 2)
                let rebuilt = try await installation.json("insights", "rebuild")
                #expect(rebuilt["is_identical"] as? Bool == true)
            }
        }
    }
}
