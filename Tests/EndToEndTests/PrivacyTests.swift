import EnergyModel
import EnergyTransport
import EnergyWire
import Foundation
import Testing

extension EndToEnd {
    struct Privacy {
        @Test(.timeLimit(.minutes(2)))
        func `a device is handed out and erased from all services, and comes back only by what it sends anew`()
            async throws
        {
            try await Installation.with(.ipc) { installation in
                let home = try await Household.move(into: installation)
                let token = try await home.guidance().token
                try await home.submit(home.session(energy: 5_000_000, hoursAgo: 9, token: token))
                try await home.waitForInsights(energy: 5_000_000)
                try await plan(home, installation)
                try await checkExport(home, installation)

                let place = ["--venue", home.venue.name, "--device", Household.car.id]
                let unasked = try await installation.energyctl(["privacy", "erase"] + place)
                #expect(unasked.status == .code(64))
                let erased = try await installation.json(["privacy", "erase", "--yes"] + place)
                let receipts = try #require(erased["receipts"] as? [[String: Any]])
                #expect(receipts.count == 4)
                let log = try #require(receipts.first { $0["service"] as? String == "event-ingestor" })
                #expect((log["counts"] as? [String: Int])?["event"] == 5)
                try await home.waitForInsights(energy: 0)
                #expect(try await home.log().isEmpty)
                let backup = try await installation.json("log", "backup")
                #expect(backup["file"] is String)
                #expect(try filesWith(Household.car.id, installation) == [])

                try await home.submit(home.session(energy: 7_000_000, hoursAgo: 3, token: token))
                try await home.waitForInsights(energy: 7_000_000)
                try await checkRebuild(home, installation)
                let again = try await installation.energyctl("log", "verify")
                #expect(again.status == .code(0), "\(again.output)")
                let audit = try await installation.energyctl(
                    "audit", "verify", "--state", "\(installation.folder)/state")
                #expect(audit.status == .code(0), "\(audit.output)")
                let lines = try await installation.energyctl("audit", "list", "--state", "\(installation.folder)/state")
                #expect(lines.output.contains("data erased"))
                #expect(lines.output.contains("energy.v1.Privacy/Erase"))
            }
        }

        private func plan(_ home: Household, _ installation: Installation) async throws {
            let place = ["--venue", home.venue.name, "--device", Household.car.id]
            _ = try await installation.json(
                ["schedule", "add-device", "--name", Household.car.name, "--battery", "75", "--power", "11"] + place)
            _ = try await installation.json(["schedule", "set", "--ready-by", "8h", "--energy", "22"] + place)
        }

        private func checkExport(_ home: Household, _ installation: Installation) async throws {
            let file = "\(installation.folder)/export.ndjson"
            let result = try await installation.energyctl(
                "privacy", "export", "--venue", home.venue.name, "--device", Household.car.id, "--output", file)
            #expect(result.status == .code(0), "\(result.error)")
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            var kinds: Set<String> = []
            for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                #expect(object?["document"] is [String: Any])
                kinds.insert("\(object?["service"] ?? "") \(object?["kind"] ?? "")")
            }
            #expect(
                kinds.isSuperset(of: [
                    "scheduler device", "scheduler goal", "scheduler schedule_block", "insight-service bucket",
                    "insight-service session", "event-ingestor session", "event-ingestor log_record",
                ]), "\(kinds)")
        }

        /// Insights that are counted anew from the log are those that were there.
        private func checkRebuild(_ home: Household, _ installation: Installation) async throws {
            await (try installation.process(.insights)).kill()
            let state = "\(installation.folder)/state/insight-service"
            for name in try FileManager.default.contentsOfDirectory(atPath: state)
            where name.hasPrefix("insights.sqlite") {
                try FileManager.default.removeItem(atPath: "\(state)/\(name)")
            }
            try await installation.start(.insights)
            try await home.waitForInsights(energy: 7_000_000)
        }

        /// Of the databases and backups.
        private func filesWith(_ text: String, _ installation: Installation) throws -> [String] {
            let state = "\(installation.folder)/state"
            let files = FileManager.default.enumerator(atPath: state)?.compactMap { $0 as? String } ?? []
            #expect(files.contains { $0.contains("/backups/") })
            return try files.filter { $0.contains(".sqlite") }.filter { name in
                try Data(contentsOf: URL(filePath: "\(state)/\(name)")).range(of: Data(text.utf8)) != nil
            }
        }

        @Test(.timeLimit(.minutes(2)))
        func `a venue is erased whole, needs the right to administer, and another stays`() async throws {
            try await Installation.with(.keys) { installation in
                let home = try await Household.move(into: installation)
                let other = try await Household.move(into: installation, name: "Cabin")
                for household in [home, other] {
                    let token = try await household.guidance().token
                    try await household.submit(household.session(energy: 5_000_000, hoursAgo: 9, token: token))
                    try await household.waitForInsights(energy: 5_000_000)
                }
                let answer = try await installation.json(
                    "keys", "client", "reader", "--allow", "guidance,events,insights,schedules,control", "--keys",
                    installation.keyFolder)
                let file = try #require(answer["client_file"] as? String)
                var refused: CommandResult
                repeat {
                    refused = try await installation.energyctl(
                        ["privacy", "erase", "--venue", home.venue.id.uuidString, "--yes"], client: file)
                } while refused.error.contains("admit")
                #expect(refused.error.contains("needs 'admin'"), "\(refused.error)")

                _ = try await installation.json("privacy", "erase", "--venue", home.venue.name, "--yes")
                let venues = try await installation.client(.guidance).call(Methods.listVenues, Empty()).venues
                #expect(venues.contains { $0.id == other.venue.id })
                #expect(!venues.contains { $0.id == home.venue.id })
                let gone = await #expect(throws: EnergyError.self) {
                    try await installation.client(.guidance).call(Methods.getVenue, .id(home.venue.id))
                }
                #expect(gone?.code == .notFound)
                #expect(try await home.log().isEmpty)
                #expect(try await other.log().count == 5)
                #expect(try await other.insightEnergy() == 5_000_000)
                // Again, by its id, because nobody knows its name any more.
                _ = try await installation.json("privacy", "erase", "--venue", home.venue.id.uuidString, "--yes")
                try await checkAudit(installation)
            }
        }

        /// Who did it and who was refused, by the names of their keys.
        private func checkAudit(_ installation: Installation) async throws {
            let state = "\(installation.folder)/state"
            let result = try await installation.energyctl("audit", "list", "--state", state, "--json")
            let lines = try result.output.split(separator: "\n").map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            }
            let erasures = lines.filter { $0["method"] as? String == "energy.v1.Privacy/Erase" }
            #expect(erasures.contains { $0["principal"] as? String == "owner" && $0["status"] as? String == "OK" })
            #expect(
                erasures.contains {
                    $0["principal"] as? String == "reader" && $0["status"] as? String == "PERMISSION_DENIED"
                })
            #expect(
                lines.contains { line in
                    line["event"] as? String == "access_changed"
                        && (line["details"] as? [String: String])?["added"] == "reader"
                })
            #expect(try await installation.energyctl("audit", "verify", "--state", state).status == .code(0))
        }
    }
}
