import EnergyModel
import Foundation
import Testing

extension EndToEnd {
    /// What a person sees with a key that is limited to one venue.
    struct VenueKeys {
        @Test(.timeLimit(.minutes(2)))
        func `a key of one venue sees what happens there, and is told what it may not see`() async throws {
            try await Installation.with(.keys) { installation in
                let home = try await Household.move(into: installation)
                let other = try await Household.move(into: installation, name: "Cabin")
                for household in [home, other] {
                    let token = try await household.guidance().token
                    try await household.submit(household.session(energy: 1_000_000, hoursAgo: 5, token: token))
                }
                let file = try await charger(of: home, installation)
                try await readEvents(of: home, installation, file)
                try await watch(home, not: other, installation, file)
            }
        }

        private func charger(of home: Household, _ installation: Installation) async throws -> String {
            let answer = try await installation.json(
                "keys", "client", "charger", "--allow", "guidance,events", "--venue", home.venue.id.uuidString,
                "--keys", installation.keyFolder)
            let file = try #require(answer["client_file"] as? String)
            // The services read the list again within a second, each by itself.
            for command in [["venues"], ["events"]] {
                while try await installation.energyctl(command, client: file).error.contains("does not admit") {}
            }
            return file
        }

        private func readEvents(of home: Household, _ installation: Installation, _ file: String) async throws {
            let all = try await installation.energyctl(["events", "--json"], client: file)
            #expect(all.status == .code(0), "\(all.error)")
            #expect(all.error.contains("needs the permission 'admin'"))
            let events = try #require(try all.object()["events"] as? [[String: Any]])
            #expect(events.map { $0["id"] as? String } == (try await home.log()).map { $0.id.uuidString.lowercased() })
            let few = try await installation.energyctl(["events", "--json", "--limit", "2"], client: file)
            #expect(try (few.object()["events"] as? [Any])?.count == 2, "\(few.output)")
            for command in [["log", "verify"], ["insights"], ["schedule"], ["log", "readers"]] {
                let refused = try await installation.energyctl(command, client: file)
                #expect(refused.status == .code(77), "\(command) \(refused.error)")
                #expect(!refused.output.contains("no fault"))
            }
        }

        private func watch(
            _ home: Household, not other: Household, _ installation: Installation, _ file: String
        ) async throws {
            let watch = try await installation.command(["watch", "--json"], client: file)
            let last = try #require(try await home.log().last?.id.uuidString.lowercased())
            _ = try await watch.output.line(containing: last)
            _ = try await watch.output.line(containing: "\"kind\":\"guidance\"")
            for (household, hours) in [(other, Int64(3)), (home, 3)] {
                let token = try await household.guidance().token
                try await household.submit(household.session(energy: 1_000_000, hoursAgo: hours, token: token))
            }
            let next = try #require(try await home.log().last?.id.uuidString.lowercased())
            _ = try await watch.output.line(containing: next)
            for service in [
                "insight-service: charger may not read insights/", "scheduler: charger may not read schedule/",
            ] {
                _ = try await watch.error.line(containing: service)
            }
            #expect(!watch.output.text.contains(other.venue.id.uuidString.lowercased()))
            let ids = Set(watch.output.all.filter { $0.contains("\"kind\":\"event\"") })
            #expect(ids.count == watch.output.all.count { $0.contains("\"kind\":\"event\"") }, "each once")
            #expect(ids.count >= 6)
        }
    }
}
