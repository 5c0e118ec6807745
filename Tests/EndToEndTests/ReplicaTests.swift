import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing

extension EndToEnd {
    /// Replicas that share a database, of which one answers while the others stand by.
    @Suite(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
    struct Replicas {
        /// A replica that is not up yet is waited for: a call to it is answered once it takes over.
        private func goals(_ home: Household, by installation: Installation) async throws -> [UUID] {
            try await installation.client(.scheduler).call(
                Methods.listSchedules, ScheduleFilter(venueID: home.venue.id)
            )
            .schedules.map(\.goal.id)
        }

        @Test(.timeLimit(.minutes(3)))
        func `a scheduler stands by, takes over from one that is killed, hangs or is stopped, and none comes back`()
            async throws
        {
            let settings = ["GRIDTIDE_STORE_POSTGRESQL": try await PostgreSQLServer.shared.value.database()]
            try await Installation.with(.ipc, services: [.guidance, .events]) { first in
                try await first.start(.scheduler, settings: settings)
                let home = try await Household.move(into: first)
                let place = ["--venue", home.venue.name, "--device", Household.car.id]
                _ = try await first.json(
                    ["schedule", "add-device", "--name", "Car", "--battery", "75", "--power", "11"] + place)
                _ = try await first.json(["schedule", "set", "--ready-by", "20h", "--energy", "9"] + place)
                let known = try await goals(home, by: first)
                #expect(known.count == 1)
                try await Installation.with(.ipc, services: [.scheduler], settings: settings, beside: first) { second in
                    _ = try await second.process(.scheduler).error.line(containing: "stands by")

                    try await first.kill(.scheduler)
                    #expect(try await goals(home, by: second) == known)
                    try await first.start(.scheduler, settings: settings)
                    _ = try await first.process(.scheduler).error.line(containing: "stands by")

                    let hung = try second.process(.scheduler)
                    hung.send(SIGSTOP)
                    #expect(try await goals(home, by: first) == known)
                    // It has been overtaken: it ends, and whoever supervises it starts it anew.
                    hung.send(SIGCONT)
                    #expect(try await hung.end() != .code(0))

                    try await second.start(.scheduler)
                    _ = try await second.process(.scheduler).error.line(containing: "stands by")
                    #expect(try await first.stop(.scheduler) == .code(0))
                    #expect(try await goals(home, by: second) == known)
                    // One that stands by ends when it is told to.
                    try await first.start(.scheduler, settings: settings)
                    _ = try await first.process(.scheduler).error.line(containing: "stands by")
                    #expect(try await first.stop(.scheduler) == .code(0))
                    #expect(try await goals(home, by: second) == known)
                }
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func `what one publisher and insight-service knew, those that take over know, and tokens stay valid`()
            async throws
        {
            let settings = ["GRIDTIDE_STORE_POSTGRESQL": try await PostgreSQLServer.shared.value.database()]
            try await Installation.with(.ipc, services: [.guidance, .events, .insights], settings: settings) { first in
                let home = try await Household.move(into: first)
                let token = try await home.guidance().token
                try await home.submit(home.session(energy: 3_000_003, hoursAgo: 3, token: token))
                try await home.waitForInsights(energy: 3_000_003)
                try await Installation.with(
                    .ipc, services: [.guidance, .insights], settings: settings, beside: first
                ) { second in
                    try await first.kill(.insights)
                    let energy = try await Household(installation: second, venue: home.venue).insightEnergy()
                    #expect(energy == 3_000_003)
                    try await first.kill(.guidance)
                    let known = try await second.client(.guidance).call(
                        Methods.resolveToken, TokenReference(token: token))
                    #expect(known.venueID == home.venue.id)
                }
            }
        }
    }
}
