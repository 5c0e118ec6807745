import Foundation
import Testing

extension EndToEnd {
    struct Doctor {
        @Test(.timeLimit(.minutes(3)))
        func `an installation with keys is well, until a key is revoked, a service ends or another takes its port`()
            async throws
        {
            try await Installation.with(.keys) { installation in
                _ = try await Household.move(into: installation)
                #expect(try await failures(installation, fails: false) == [])

                let guest = "\(installation.folder)/guest.yaml"
                _ = try await installation.json(
                    "keys", "client", "guest", "--allow", "guidance", "--keys", installation.keyFolder, "--output",
                    guest)
                _ = try await installation.json("keys", "revoke", "guest", "--keys", installation.keyFolder)
                // Each service learns of it by itself.
                var refused = 0
                while refused < 4 {
                    refused = try await failures(installation, client: guest)
                        .count { $0.contains("this client's key is not let in") }
                }

                try await installation.kill(.scheduler)
                let gone = try await failures(installation, fails: true)
                #expect(gone.count == 2 && gone.allSatisfy { $0.contains("nobody listens there") }, "\(gone)")
            }
        }

        @Test(.timeLimit(.minutes(2)))
        func `a service that hangs does not hold the doctor up`() async throws {
            try await Installation.with(.tcp, services: [.guidance]) { installation in
                try installation.process(.guidance).send(SIGSTOP)
                let found = try await failures(installation, timeout: "1s", fails: true)
                try installation.process(.guidance).send(SIGCONT)
                #expect(found.contains { $0.contains("a service that hangs") }, "\(found)")
            }
        }

        /// - Parameter fails: `nil` where it may or may not yet.
        /// - Returns: what failed, as it is told.
        private func failures(
            _ installation: Installation, client: String? = nil, timeout: String = "5s", fails: Bool? = nil
        ) async throws -> [String] {
            var arguments = ["doctor", "--json", "--timeout", timeout]
            if FileManager.default.fileExists(atPath: installation.keyFolder) {
                arguments += ["--keys", installation.keyFolder]
            }
            let result = try await installation.energyctl(arguments, client: client)
            let found = try #require(try result.object()["findings"] as? [[String: String]])
                .filter { $0["level"] == "failure" }.compactMap { $0["found"] }
            #expect(result.status == .code(fails ?? !found.isEmpty ? 1 : 0), "\(result.output) \(result.error)")
            return found
        }
    }
}
