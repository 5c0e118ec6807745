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
    }
}
