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

        @Test(.timeLimit(.minutes(2)))
        func `the guidance-publisher keeps venues and tokens in PostgreSQL, stopped or killed, and nothing in files`()
            async throws
        {
            let settings = ["GRIDTIDE_STORE_POSTGRESQL": try await PostgreSQLServer.shared.value.database()]
            try await Installation.with(.ipc, services: []) { installation in
                try await installation.start(.guidance, settings: settings)
                let home = try await Household.move(into: installation)
                let token = try await home.guidance().token
                #expect(try await installation.stop(.guidance) == .code(0))
                try await installation.start(.guidance, settings: settings)
                #expect(try await Household.find(in: installation).venue == home.venue)
                try await installation.kill(.guidance)
                try await installation.start(.guidance, settings: settings)
                // The ingestor never saw it before: only the publisher can say what it is worth.
                try await installation.start(.events)
                let session = home.session(energy: 1_000_000, hoursAgo: 1, token: token)
                #expect(try await home.submit(session).accepted == session.count)
                let files = try FileManager.default.subpathsOfDirectory(atPath: "\(installation.folder)/state")
                #expect(!files.contains { $0.contains("guidance.sqlite") })
            }
        }

        @Test(.timeLimit(.minutes(2)))
        func `the insight-service counts into PostgreSQL, stopped or killed, and erases what it is told to`()
            async throws
        {
            let settings = ["GRIDTIDE_STORE_POSTGRESQL": try await PostgreSQLServer.shared.value.database()]
            try await Installation.with(.ipc, services: [.guidance, .events]) { installation in
                try await installation.start(.insights, settings: settings)
                let home = try await Household.move(into: installation)
                let token = try await home.guidance().token
                try await home.submit(home.session(energy: 3_000_003, hoursAgo: 3, token: token))
                try await home.waitForInsights(energy: 3_000_003)
                #expect(try await installation.stop(.insights) == .code(0))
                // Counted when it is there again, and what was counted before not once more.
                try await home.submit(home.session(energy: 1, hoursAgo: 2, token: token))
                try await installation.start(.insights, settings: settings)
                try await home.waitForInsights(energy: 3_000_004)
                try await installation.kill(.insights)
                try await home.submit(home.session(energy: 1, hoursAgo: 1, token: token))
                try await installation.start(.insights, settings: settings)
                try await home.waitForInsights(energy: 3_000_005)
                let rebuilt = try await installation.json("insights", "rebuild")
                #expect(rebuilt["is_identical"] as? Bool == true, "\(rebuilt)")
                let files = try FileManager.default.subpathsOfDirectory(atPath: "\(installation.folder)/state")
                #expect(!files.contains { $0.contains("insights.sqlite") })
            }
        }

        /// To the first that takes it.
        private func submit(_ event: Event, to homes: [Household]) async throws {
            while true {
                for home in homes { if (try? await home.submit([event])) != nil { return } }
                try Task.checkCancellation()
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func `two ingestors share a log, and lose and double nothing when one is killed`() async throws {
            let settings = [
                "GRIDTIDE_STORE_POSTGRESQL": try await PostgreSQLServer.shared.value.database()
            ]
            try await Installation.with(.ipc, services: [.guidance]) { first in
                try await first.start(.events, settings: settings)
                try await Installation.with(.ipc, services: [.events], settings: settings, beside: first) { second in
                    let home = try await Household.move(into: first)
                    let homes = [home, Household(installation: second, venue: home.venue)]
                    let token = try await home.guidance().token
                    let sessions = (0..<40).map { number in
                        home.session(energy: 1_000_000 + Int64(number), hoursAgo: 2 + Int64(number) / 4, token: token)
                    }
                    let (progress, sink) = AsyncStream<Void>.makeStream()
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for (number, session) in sessions.enumerated() {
                            group.addTask {
                                // Each event to another replica than the one before it.
                                for (step, event) in session.enumerated() {
                                    let isSecond = (number + step) % 2 == 1
                                    try await submit(event, to: isSecond ? homes.reversed() : homes)
                                    sink.yield()
                                }
                            }
                        }
                        group.addTask {
                            var iterator = progress.makeAsyncIterator()
                            for _ in 0..<50 { await iterator.next() }
                            try await second.kill(.events)
                            try await second.start(.events)
                        }
                        try await group.waitForAll()
                    }
                    for home in homes {
                        let log = try await home.log()
                        #expect(log.count == sessions.joined().count)
                        for session in sessions {
                            let id = session.first?.session?.id
                            #expect(log.filter { $0.session?.id == id }.map(\.id) == session.map(\.id))
                        }
                        // Known to both, whoever took it.
                        for session in sessions { #expect(try await home.submit(session).duplicates == session.count) }
                    }
                }
            }
        }
    }
}
