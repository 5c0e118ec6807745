import EnergyModel
import EnergyTransport
import EnergyWire
import Foundation
import KeyFiles
import Testing
import ZeroMQ

extension EndToEnd {
    /// What services say of themselves, and what they leave on the disk for others to read.
    struct Secrecy {
        @Test(.timeLimit(.minutes(2)))
        func `no key, token or device is in logs, errors or metrics, and no file is anybody else's`() async throws {
            try await Installation.with(.keys, settings: ["GRIDTIDE_LOG_LEVEL": "trace"]) { installation in
                let home = try await Household.move(into: installation)
                let token = try await home.guidance().token
                try await home.submit(home.session(energy: 5_000_000, hoursAgo: 9, token: token))
                try await home.waitForInsights(energy: 5_000_000)
                let place = ["--venue", home.venue.name, "--device", Household.car.id]
                _ = try await installation.json(
                    ["schedule", "add-device", "--name", Household.car.name, "--battery", "75", "--power", "11"]
                        + place)
                _ = try await installation.json(["schedule", "set", "--ready-by", "8h", "--energy", "22"] + place)
                _ = try await installation.json("log", "backup")
                let errors = try await mistakes(home, token, installation)
                let secrets = try secrets(installation)
                #expect(secrets.count >= 6)

                for service in ServiceName.servers {
                    try checkLimits(try installation.process(service).id)
                    let metrics = try await installation.metrics(service)
                    #expect(metrics.contains("gridtide_") || metrics.contains("process_"))
                    let log = try installation.process(service).error.all + installation.process(service).output.all
                    #expect(!log.isEmpty)
                    let texts = [("log", log.joined(separator: "\n")), ("metrics", metrics)]
                    let personal = [
                        token.uuidString.lowercased(), Household.car.id, Household.car.name, home.venue.name,
                    ]
                    for (place, text) in texts {
                        for word in secrets + personal {
                            #expect(!text.lowercased().contains(word.lowercased()), "\(service) \(place)")
                        }
                    }
                }
                for text in errors {
                    for word in secrets + [token.uuidString] {
                        #expect(!text.lowercased().contains(word.lowercased()), "\(text)")
                    }
                }
                #expect(try readableByOthers("\(installation.folder)/state") == [])
                #expect(try readableByOthers(installation.keyFolder) == [])
            }
        }

        /// What senders and people are told of what they did wrong.
        private func mistakes(
            _ home: Household, _ token: UUID, _ installation: Installation
        ) async throws -> [String] {
            var errors: [String] = []
            let other = try await Household.move(into: installation, name: "Cabin")
            let foreign = Household(installation: installation, venue: other.venue)
            // A token of another venue, one that nobody issued, a session that goes backwards.
            var backwards = home.session(energy: 1_000_000, hoursAgo: 1, token: token)
            backwards.swapAt(1, 3)
            for events in [
                foreign.session(energy: 1_000, hoursAgo: 2, token: token),
                home.session(energy: 1_000, hoursAgo: 2, token: UUID()), backwards,
            ] {
                let refusal = await #expect(throws: EnergyError.self) { try await home.submit(events) }
                errors.append("\(String(describing: refusal))")
            }
            for arguments in [
                ["venues", "remove", "Nowhere", "--yes"], ["guidance", "--venue", UUID().uuidString],
                ["keys", "revoke", "nobody", "--keys", installation.keyFolder],
            ] {
                let result = try await installation.energyctl(arguments)
                #expect(result.status != .code(0))
                errors.append(result.error)
            }
            return errors
        }

        private func secrets(_ installation: Installation) throws -> [String] {
            let folder = installation.keyFolder
            var secrets: [String] = []
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".key") {
                secrets.append(try KeyFile(path: "\(folder)/\(name)").keys.secretKey.text)
            }
            let owner = try String(contentsOfFile: try #require(installation.clientFile), encoding: .utf8)
            let line = try #require(owner.split(separator: "\n").first { $0.contains("secret:") })
            secrets.append(
                line.replacing("secret:", with: "").trimmingCharacters(in: CharacterSet(charactersIn: " \"'")))
            return secrets
        }

        private func checkLimits(_ process: pid_t) throws {
            let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
            let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
            #expect(core.split(separator: " ").filter { $0 == "0" }.count == 2, "\(core)")
            // A process whose memory is closed belongs to root here, whoever runs it.
            guard getuid() != 0 else { return }
            let attributes = try FileManager.default.attributesOfItem(atPath: "/proc/\(process)/mem")
            #expect(attributes[.ownerAccountID] as? Int == 0)
        }

        /// Files and folders below, and it itself, that others than their owner may do anything with. `access.yaml` is
        /// no secret: other hosts get it.
        private func readableByOthers(_ folder: String) throws -> [String] {
            let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
            #expect(names.count > 3)
            return try ([""] + names).filter { name in
                let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.posixPermissions]
                return ((mode as? Int) ?? 0o777) & 0o077 != 0
            }
        }
    }
}
