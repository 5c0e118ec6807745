import EnergyModel
import EnergyTransport
import EnergyWire
import Foundation
import Synchronization
import Testing

/// Which batches the ingestor has said yes to.
private final class Acknowledged: Sendable {
    private let state = Mutex<Set<Int>>([])
    var numbers: Set<Int> { state.withLock { $0 } }
    func add(_ number: Int) { state.withLock { _ = $0.insert(number) } }
}

extension EndToEnd {
    struct Crashes {
        /// A command that only this service can answer.
        private func question(_ service: ServiceName) -> [String] {
            switch service {
            case .guidance: ["venues"]
            case .events: ["events"]
            case .insights: ["insights"]
            default: ["schedule"]
            }
        }

        @Test(.timeLimit(.minutes(2)), arguments: ServiceName.servers)
        func `a killed service is missed only where it is needed, and all heals when it returns`(
            service: ServiceName
        ) async throws {
            try await Installation.with(.ipc) { installation in
                let home = try await Household.move(into: installation)
                let place = ["--venue", home.venue.id.uuidString]
                let token = try await home.guidance().token
                try await home.submit(home.session(energy: 5_000_001, hoursAgo: 5, token: token))
                try await home.waitForInsights(energy: 5_000_001)
                let others = ServiceName.servers.filter { $0 != service }
                let processes = try others.map { try installation.process($0).id }
                let watch = try await installation.command(["watch"])
                for kind in ["guidance ", "event ", "insight "] {
                    _ = try await watch.output.line(containing: kind)
                }

                try await installation.kill(service)
                _ = try await watch.output.line(containing: "\(service.rawValue) is lost")
                let answer = try await installation.energyctl(
                    question(service) + (service == .guidance ? [] : place) + ["--timeout", "2s"])
                #expect(answer.status == .code(69), "\(answer.error)")
                #expect(answer.error.contains("\(service.rawValue) at \(try installation.address(service).requests)"))
                for other in others {
                    let question = question(other) + (other == .guidance ? [] : place)
                    let answer = try await installation.energyctl(question)
                    #expect(answer.status == .code(0), "\(other.rawValue): \(answer.error)")
                }
                let health = try await installation.energyctl("health", "--timeout", "2s")
                #expect(health.status == .code(1))
                #expect(health.output.contains("UNREACHABLE"))

                try await installation.start(service)
                _ = try await watch.output.line(containing: "\(service.rawValue) is back")
                try await home.submit(home.session(energy: 2_000_002, hoursAgo: 2, token: token))
                try await home.waitForInsights(energy: 7_000_003)
                try await checkGoal(installation, home)
                #expect(try others.map { try installation.process($0).id } == processes)
                #expect(try others.allSatisfy { try installation.process($0).status == nil })
                await watch.kill()
            }
        }

        private func checkGoal(_ installation: Installation, _ home: Household) async throws {
            let place = ["--venue", home.venue.name, "--device", Household.car.id]
            _ = try await installation.json(
                ["schedule", "add-device", "--name", "Car", "--battery", "75", "--power", "11"] + place)
            let schedule = try await installation.json(
                ["schedule", "set", "--ready-by", "10h", "--energy", "5"] + place)
            #expect(schedule["planned_mwh"] as? Int == 5_000_000)
        }

        @Test(.timeLimit(.minutes(2)))
        func `what was acknowledged survives the crash of the ingestor, once`() async throws {
            try await Installation.with(.ipc) { installation in
                let home = try await Household.move(into: installation)
                let token = try await home.guidance().token
                let sessions = (0..<60).map { number in
                    home.session(energy: 1_000_000 + Int64(number), hoursAgo: 2 + Int64(number) / 4, token: token)
                }
                let acknowledged = Acknowledged()
                let (progress, sink) = AsyncStream<Void>.makeStream()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (number, session) in sessions.enumerated() {
                        group.addTask {
                            // Whoever is not acknowledged does not know, and sends the same again later.
                            guard (try? await home.submit(session)) != nil else { return }
                            acknowledged.add(number)
                            sink.yield()
                        }
                    }
                    group.addTask {
                        var iterator = progress.makeAsyncIterator()
                        for _ in 0..<10 { await iterator.next() }
                        try await installation.kill(.events)
                        try await installation.start(.events)
                    }
                    try await group.waitForAll()
                }
                let before = acknowledged.numbers
                #expect(before.count >= 10)
                let stored = Set(try await home.log().map(\.id))
                for number in before { #expect(stored.isSuperset(of: sessions[number].map(\.id))) }

                for session in sessions { try await home.submit(session) }
                let log = try await home.log()
                #expect(log.count == sessions.joined().count)
                #expect(Set(log.map(\.id)) == Set(sessions.joined().map(\.id)))
                try await home.waitForInsights(energy: (0..<60).reduce(0) { $0 + 1_000_000 + $1 })
            }
        }
    }
}
