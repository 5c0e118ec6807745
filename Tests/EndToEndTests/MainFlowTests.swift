import EnergyModel
import EnergyTransport
import EnergyWire
import Foundation
import Testing

/// The real executables, on real sockets. One test at a time: each has a machine's worth of processes.
@Suite(.serialized) struct EndToEnd {}

extension EndToEnd {
    struct MainFlow {
        @Test(.timeLimit(.minutes(2)), arguments: Installation.Addressing.allCases)
        func `guidance, a session, its insights, a goal and its plan, and all of it live`(
            addressing: Installation.Addressing
        ) async throws {
            try await Installation.with(addressing) { installation in
                let home = try await Household.move(into: installation)
                try await checkVenues(installation, home)
                let watch = try await installation.command(["watch", "--json", "--venue", home.venue.name])
                _ = try await watch.output.line(containing: #""kind":"guidance""#)
                let guidance = try await checkGuidance(installation, home)
                try await checkSession(installation, home, guidance)
                try await checkSchedule(installation, home)
                for kind in ["event", "insight", "schedule"] {
                    _ = try await watch.output.line(containing: #""kind":"\#(kind)""#)
                }
                await watch.kill()
                let health = try await installation.json("health")
                #expect(health["serving"] as? Bool == true)
            }
        }

        private func checkVenues(_ installation: Installation, _ home: Household) async throws {
            let venues = try #require(try await installation.json("venues")["venues"] as? [[String: Any]])
            let added = try #require(venues.first { $0["name"] as? String == home.venue.name })
            #expect(added["time_zone"] as? String == Household.zone)
            #expect(added["region"] as? String == "CISO")
        }

        /// A day of ratings without gaps, and a token that the service knows.
        private func checkGuidance(_ installation: Installation, _ home: Household) async throws -> Guidance {
            let document = try await installation.json("guidance", "--venue", home.venue.name)
            let values = try #require(document["values"] as? [[String: Any]])
            #expect(!values.isEmpty)
            for (value, next) in zip(values, values.dropFirst()) {
                #expect(value["end"] as? String == next["start"] as? String)
            }
            let ratings = values.compactMap { $0["rating"] as? Double }
            #expect(ratings.allSatisfy { 0...1 ~= $0 })
            let guidance = try await home.guidance()
            #expect(guidance.interval.contains(SystemWallClock().now))
            let resolved = try await installation.client(.guidance).call(
                Methods.resolveToken, TokenReference(token: guidance.token))
            #expect(resolved.venueID == home.venue.id)
            return guidance
        }

        private func checkSession(
            _ installation: Installation, _ home: Household, _ guidance: Guidance
        ) async throws {
            let events = home.session(energy: 12_345_679, hoursAgo: 2, token: guidance.token)
            #expect(try await home.submit(events) == SubmitResult(accepted: 5, duplicates: 0))
            #expect(try await home.submit(events) == SubmitResult(accepted: 0, duplicates: 5))
            try await home.waitForInsights(energy: 12_345_679)
            for granularity in Granularity.allCases {
                #expect(try await home.insightEnergy(granularity) == 12_345_679)
            }
            let insights = try await installation.json(
                "insights", "--venue", home.venue.name, "--by", "cleanliness", "--by", "tariff", "--last", "3d")
            let total = try #require(insights["total"] as? [String: Any])
            for split in ["by_cleanliness", "by_tariff"] {
                let parts = try #require(total[split] as? [String: [String: Any]])
                #expect(parts.values.compactMap { $0["energy_mwh"] as? Int }.reduce(0, +) == 12_345_679)
            }
            let shown = try await installation.json("events", "--venue", home.venue.name, "--device", "e2e-car")
            #expect((shown["events"] as? [Any])?.count == 5)
        }

        private func checkSchedule(_ installation: Installation, _ home: Household) async throws {
            let place = ["--venue", home.venue.name, "--device", Household.car.id]
            _ = try await installation.json(
                ["schedule", "add-device", "--name", Household.car.name, "--battery", "75", "--power", "11"] + place)
            let schedule = try await installation.json(
                ["schedule", "set", "--ready-by", "8h", "--energy", "22"] + place)
            #expect(schedule["missing_mwh"] as? Int == 0)
            let blocks = try #require(schedule["blocks"] as? [[String: Any]])
            #expect(blocks.compactMap { $0["energy_mwh"] as? Int }.reduce(0, +) == 22_000_000)
            #expect(blocks.allSatisfy { ($0["reason"] as? String)?.isEmpty == false })
            #expect((schedule["explanation"] as? String)?.isEmpty == false)
            let listed = try await installation.energyctl("schedule", "--venue", home.venue.name)
            #expect(listed.status == .code(0), "\(listed.error)")
            #expect(listed.output.contains("22.00 kWh"))
        }

        @Test(.timeLimit(.minutes(2)))
        func `what is wrong is refused by exit status, naming event, field and rule`() async throws {
            try await Installation.with(.ipc) { installation in
                let home = try await Household.move(into: installation)
                let token = try await home.guidance().token
                var events = home.session(energy: 1_000_000, hoursAgo: 1, token: token)
                events.swapAt(1, 3)
                let refusal = await #expect(throws: EnergyError.self) { try await home.submit(events) }
                #expect(refusal?.code == .invalidInput)
                #expect(refusal?.violations.first?.index != nil)
                let stranger = home.session(energy: 1_000_000, hoursAgo: 1, token: UUID())
                let unknown = await #expect(throws: EnergyError.self) { try await home.submit(stranger) }
                #expect(unknown?.code == .invalidInput)
                #expect(try await home.log().isEmpty)

                #expect(try await installation.energyctl("guidance", "--venue", "Nowhere").status == .code(65))
                #expect(try await installation.energyctl("guidance", "--action", "stop").status == .code(64))
                let device = ["--venue", home.venue.name, "--device", "unknown-car"]
                let goal = try await installation.energyctl(
                    ["schedule", "set", "--ready-by", "8h", "--soc", "80"] + device)
                #expect(goal.status == .code(65), "\(goal.error)")
            }
        }
    }
}
