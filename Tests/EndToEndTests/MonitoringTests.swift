import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

extension EndToEnd {
    /// What `deploy/` says about metrics, beside what the services say.
    @Suite(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
    struct Monitoring {
        /// Everything that a metric is about fails at least once: some appear only then.
        private static let settings = """
            venues:
              - { name: E2E Home, region: CISO, time-zone: America/Los_Angeles, rate-plan: dynamic }
              - { name: Island, region: nowhere, time-zone: UTC }
            sources:
              - { region: CISO, provider: push, name: roof, kind: averageDirect }
              - { region: CISO, provider: push, name: meter, kind: price, currency: USD }
              - { region: nowhere, provider: push, name: island, kind: averageDirect }
            rate-plans:
              - { id: dynamic, name: Dynamic, currency: USD, time-zone: America/Los_Angeles, price-source: "push:meter" }
            demand-response: { file: FOLDER/events.json }
            http: { logins: FOLDER/logins }

            """

        @Test(.timeLimit(.minutes(2)))
        func `rules, dashboard and autoscaling use metrics and statuses that services have`() async throws {
            // On PostgreSQL: some metrics are about replicas.
            let store = ["GRIDTIDE_STORE_POSTGRESQL": try await PostgreSQLServer.shared.value.database()]
            try await Installation.with(.ipc, services: [], settings: store) { installation in
                let folder = installation.folder
                let login = try await installation.json(
                    "keys", "password", "prometheus", "--output", "\(folder)/logins")
                let password = try #require(login["password"] as? String)
                try write("{ no events", to: "\(folder)/events.json")
                try write(
                    Self.settings.replacing("FOLDER", with: folder),
                    to: "\(folder)/.config/gridtide/guidance-publisher.yaml")
                try await installation.start(ServiceName.servers)
                let home = try await Household.find(in: installation)
                var backwards = home.session(energy: 1_000_000, hoursAgo: 1, token: try await home.guidance().token)
                backwards.swapAt(1, 3)
                await #expect(throws: EnergyError.self) { try await home.submit(backwards) }

                var exposition = ""
                for service in ServiceName.servers {
                    exposition += try await installation.metrics(
                        service, login: service == .guidance ? "prometheus:\(password)" : nil)
                }
                let exposed = Set(exposition.matches(of: #/(?m)^((?:gridtide|process)_\w+)[ {]/#).map { String($0.1) })
                let statuses = Set(exposition.matches(of: #/status="(\w+)"/#).map { String($0.1) })
                #expect(exposed.count > 40 && statuses.contains("ok"))
                for (file, text) in try texts() {
                    #expect(Self.metrics(in: text).subtracting(exposed).sorted() == [], "\(file)")
                    #expect(Self.statuses(in: text).subtracting(statuses).sorted() == [], "\(file)")
                }
            }
        }

        private static func metrics(in text: String) -> Set<String> {
            Set(text.matches(of: #/\b(?:gridtide|process)_[a-z_]+/#).map { String($0.output) })
        }

        private static func statuses(in text: String) -> Set<String> {
            let lists = text.matches(of: #/status(?:=~|!=|=)\\?"([\w|]+)/#).map { String($0.output.1) }
            return Set(lists.flatMap { $0.split(separator: "|") }.map(String.init))
        }

        /// Everything below `deploy/` that names metrics.
        private func texts() throws -> [(file: String, text: String)] {
            let deploy = "\(Machine.package)/deploy"
            let names = FileManager.default.enumerator(atPath: deploy)?.compactMap { $0 as? String } ?? []
            let texts = try names.filter { name in [".yaml", ".json", ".md"].contains { name.hasSuffix($0) } }.map {
                (file: $0, text: try String(contentsOfFile: "\(deploy)/\($0)", encoding: .utf8))
            }.filter { !Self.metrics(in: $0.text).isEmpty }
            for file in ["monitoring/gridtide-rules.yaml", "monitoring/grafana-dashboard.json"] {
                #expect(texts.contains { $0.file == file }, "\(file)")
            }
            return texts
        }

        private func write(_ text: String, to path: String) throws {
            let folder = (path as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
    }
}
