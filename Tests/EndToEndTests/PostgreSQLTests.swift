import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

extension EndToEnd {
    @Suite(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
    struct PostgreSQL {
        private func goals(_ installation: Installation) async throws -> [Int?] {
            let answer = try await installation.json("schedule", "--venue", "E2E Home")
            let schedules = try #require(answer["schedules"] as? [[String: Any]])
            return schedules.map { ($0["goal"] as? [String: Any])?["energy_mwh"] as? Int }
        }

        @Test(.timeLimit(.minutes(2)))
        func `the scheduler keeps its goals in PostgreSQL, stopped or killed, and nothing of them in files`()
            async throws
        {
            let server = try await PostgreSQLServer.shared.value
            let connection = try await server.database()
            let settings = ["GRIDTIDE_STORE_POSTGRESQL": connection]
            try await Installation.with(.ipc, services: [.guidance, .events]) { installation in
                try await installation.start(.scheduler, settings: settings)
                let home = try await Household.move(into: installation)
                let place = ["--venue", home.venue.name, "--device", Household.car.id]
                _ = try await installation.json(
                    ["schedule", "add-device", "--name", "Car", "--battery", "75", "--power", "11"] + place)
                _ = try await installation.json(["schedule", "set", "--ready-by", "20h", "--energy", "9"] + place)

                #expect(try await installation.stop(.scheduler) == .code(0))
                try await installation.start(.scheduler, settings: settings)
                #expect(try await goals(installation) == [9_000_000])
                try await installation.kill(.scheduler)
                try await installation.start(.scheduler, settings: settings)
                #expect(try await goals(installation) == [9_000_000])

                #expect(
                    try await server.sql("SELECT device_id FROM scheduler.goal", in: connection) == Household.car.id)
                let files = try FileManager.default.subpathsOfDirectory(
                    atPath: "\(installation.folder)/state/scheduler")
                #expect(!files.contains { $0.contains("sqlite") })
                for process in [try installation.process(.scheduler)] {
                    #expect(!process.error.text.contains(server.password))
                }
            }
        }
    }
}
