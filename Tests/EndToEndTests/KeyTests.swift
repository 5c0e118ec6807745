import EnergyModel
import EnergyTransport
import EnergyWire
import Foundation
import ServiceEndpoints
import Testing
import ZeroMQTransport

extension EndToEnd {
    /// Services that demand keys, and clients that may do different things.
    struct Keys {
        @Test(.timeLimit(.minutes(2)))
        func `a client may do what it was allowed, at its venue only, and nothing once it is revoked`() async throws {
            try await Installation.with(.keys) { installation in
                let home = try await Household.move(into: installation)
                let other = try await Household.move(into: installation, name: "Cabin")
                let charger = try await client("charger", allow: "guidance,events", at: home, installation)
                try await follow(home, not: other, installation, charger)
                try await refuse(installation, charger, other)
                try await revoke("charger", charger, installation)
            }
        }

        @Test(.timeLimit(.minutes(1)))
        func `who shows no key, or one that nobody knows, is told so`() async throws {
            try await Installation.with(.keys, services: [.guidance]) { installation in
                for file in ["none", "stranger"] {
                    let path = "\(installation.folder)/\(file).yaml"
                    if file == "stranger" {
                        // Keys of another installation, with the right ones of these services.
                        _ = try await installation.json("keys", "init", "--keys", "\(installation.folder)/others")
                        let text = try String(contentsOfFile: try #require(installation.clientFile), encoding: .utf8)
                        let theirs = try String(
                            contentsOfFile: "\(installation.folder)/others/owner.yaml", encoding: .utf8)
                        let mixed = text.replacing(try secretLine(text), with: try secretLine(theirs))
                        try Data(mixed.utf8).write(to: URL(filePath: path))
                    } else {
                        try Data("endpoints: {}".utf8).write(to: URL(filePath: path))
                    }
                    chmod(path, 0o600)
                    let result = try await installation.energyctl(["venues"], client: path)
                    #expect(result.status == .code(77))
                    #expect(result.error.contains("does not admit this client"))
                }
            }
        }

        @Test(.timeLimit(.minutes(2)))
        func `a service changes its key, and clients and other services find it before and after`() async throws {
            try await Installation.with(.keys, services: [.guidance, .events]) { installation in
                let keys = ["--keys", installation.keyFolder]
                _ = try await installation.json(["keys", "rotate", "guidance-publisher"] + keys)
                _ = try await installation.json(["keys", "bundle", "owner"] + keys)
                let home = try await Household.move(into: installation)
                try await home.submit(home.session(energy: 1_000_000, hoursAgo: 5, token: home.guidance().token))
                _ = try await installation.json(["keys", "rotate", "guidance-publisher", "--finish"] + keys)
                // Still with the old key: nobody is disturbed.
                _ = try await home.guidance()
                #expect(try await installation.stop(.guidance) == .code(0))
                try await installation.start(.guidance)
                // A token that the ingestor has to ask for, by a connection that expected the old key.
                let token = try await home.guidance().token
                var result: SubmitResult?
                let events = home.session(energy: 1_000_000, hoursAgo: 2, token: token)
                repeat { result = try? await home.submit(events) } while result == nil
                #expect(result?.accepted == events.count || result?.duplicates == events.count)
            }
        }

        private func secretLine(_ text: String) throws -> Substring {
            try #require(text.split(separator: "\n").first { $0.contains("secret:") })
        }

        private func client(
            _ name: String, allow: String, at home: Household, _ installation: Installation
        ) async throws -> String {
            let answer = try await installation.json(
                "keys", "client", name, "--allow", allow, "--venue", home.venue.id.uuidString, "--keys",
                installation.keyFolder)
            let file = try #require(answer["client_file"] as? String)
            // The services read the list again within a second.
            var result: CommandResult
            repeat {
                result = try await installation.energyctl(["venues", "--json"], client: file)
            } while result.status
                != .code(0)
            let venues = try #require(try result.object()["venues"] as? [[String: Any]])
            #expect(venues.map { $0["name"] as? String } == [home.venue.name])
            return file
        }

        /// Guidance of its venue comes by request, because its key does not open the publications.
        private func follow(
            _ home: Household, not other: Household, _ installation: Installation, _ file: String
        ) async throws {
            let address = try installation.address(.guidance)
            let client = try ZeroMQClient(
                requestAddresses: [address.requests], publishAddresses: [address.publications],
                security: try #require(try ClientFile(path: file).keys?.security(for: .guidance)))
            var events = client.subscribe(Topics.guidance(venueID: home.venue.id)).makeAsyncIterator()
            #expect(await events.next() == .joined)
            _ = try await installation.json("venues", "weigh", home.venue.name, "1")
            guard case .publication(let publication)? = await events.next() else {
                Issue.record("no publication of the venue's guidance")
                return
            }
            #expect(publication.topic.hasPrefix(Topics.guidance(venueID: home.venue.id)))
            let failure = await #expect(throws: EnergyError.self) {
                try await client.call(
                    Methods.getGuidance, GuidanceRequest(venueID: other.venue.id, action: .shift))
            }
            #expect(failure?.code == .denied)
            await client.close()
        }

        private func refuse(_ installation: Installation, _ file: String, _ other: Household) async throws {
            for arguments in [
                ["insights"], ["schedule"], ["venues", "add", "--name", "X", "--zone", "UTC", "--region", "CISO"],
                ["log", "verify"], ["guidance", "--venue", other.venue.id.uuidString],
            ] {
                let result = try await installation.energyctl(arguments, client: file)
                #expect(result.status != .code(0), "\(arguments)")
                #expect(!result.error.isEmpty, "\(arguments)")
            }
        }

        private func revoke(_ name: String, _ file: String, _ installation: Installation) async throws {
            _ = try await installation.json("keys", "revoke", name, "--keys", installation.keyFolder)
            var result: CommandResult
            repeat {
                result = try await installation.energyctl(["venues"], client: file)
            } while result.status == .code(0)
            // At the door, on a connection that was opened just before, or while the call was being answered.
            #expect(["admit", "revoked"].contains { result.error.contains($0) }, "\(result.error)")
        }
    }
}
