import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing

extension EndToEnd {
    struct Restarts {
        @Test(.timeLimit(.minutes(2)))
        func `SIGTERM ends every service with exit code 0, and the next start goes on from what was stored`()
            async throws
        {
            try await Installation.with(.ipc) { installation in
                let home = try await Household.move(into: installation)
                let guidance = try await home.guidance()
                try await home.submit(home.session(energy: 3_000_003, hoursAgo: 2, token: guidance.token))
                try await home.waitForInsights(energy: 3_000_003)
                let place = ["--venue", home.venue.name, "--device", Household.car.id]
                _ = try await installation.json(
                    ["schedule", "add-device", "--name", "Car", "--battery", "75", "--power", "11"] + place)
                _ = try await installation.json(["schedule", "set", "--ready-by", "20h", "--energy", "9"] + place)
                let log = try await home.log()

                for service in ServiceName.servers.reversed() {
                    #expect(try await installation.stop(service) == .code(0), "\(service.rawValue)")
                }
                try await installation.start(ServiceName.servers)

                let again = try await Household.find(in: installation)
                #expect(again.venue.id == home.venue.id)
                #expect(try await again.log() == log)
                try await again.waitForInsights(energy: 3_000_003)
                let resolved = try await installation.client(.guidance).call(
                    Methods.resolveToken, TokenReference(token: guidance.token))
                #expect(resolved.venueID == home.venue.id)
                let schedules = try #require(
                    try await installation.json(["schedule", "--venue", home.venue.name])["schedules"]
                        as? [[String: Any]])
                #expect((schedules.first?["goal"] as? [String: Any])?["energy_mwh"] as? Int == 9_000_000)
                try await again.submit(again.session(energy: 1, hoursAgo: 1, token: guidance.token))
                try await again.waitForInsights(energy: 3_000_004)
            }
        }

        @Test(.timeLimit(.minutes(2)))
        func `services start in any order`() async throws {
            try await Installation.with(.ipc, services: []) { installation in
                for service in ServiceName.servers.reversed() { try await installation.start(service) }
                let home = try await Household.move(into: installation)
                let token = try await home.guidance().token
                try await home.submit(home.session(energy: 4_000_004, hoursAgo: 2, token: token))
                try await home.waitForInsights(energy: 4_000_004)
            }
        }

        @Test(.timeLimit(.minutes(2)))
        func `an address that is taken stops the start, and says by whom and what to do`() async throws {
            try await Installation.with(.tcp, services: [.guidance]) { installation in
                let taken = try installation.address(.guidance).requests
                let child = try await ChildProcess.start(
                    .init(
                        executable: "\(Machine.executables)/guidance-publisher",
                        arguments: [
                            "--requests-address", taken, "--state-directory", "\(installation.folder)/second",
                            "--publications-address", "ipc://\(installation.folder)/x", "--http-address",
                            "tcp://127.0.0.1:\(Ports.next())",
                        ], environment: Installation.environment(installation.folder)))
                #expect(try await child.end() == .code(69))
                await child.error.end()
                #expect(child.error.text.contains("requests.address"))
            }
        }
    }
}
