import EnergyKit
import EnergyModel
import Synchronization
import Testing

extension EndToEnd {
    struct EnergyKitOutbox {
        /// A minute, when somebody asks for it; else until the outbox has failed a few times.
        private static let isLong = ProcessInfo.processInfo.environment["GRIDTIDE_LONG_TESTS"] != nil

        @Test(.timeLimit(.minutes(3)))
        func `an ingestor that is killed under a steady submit loses nothing and repeats nothing`() async throws {
            try await Installation.with(.ipc) { installation in
                let home = try await Household.move(into: installation)
                let token = try await home.guidance().token
                var configuration = try EnergyKitConfiguration(endpoints: installation.endpoints)
                configuration.requestTimeout = .seconds(1)
                let outbox = try LoadEventOutbox(directory: URL(filePath: "\(installation.folder)/outbox"))
                let (failures, fail) = AsyncStream<Void>.makeStream()
                EnergyKitDiagnostics.setHandler { report in if report.error == .serviceUnavailable { fail.yield() } }
                defer { EnergyKitDiagnostics.setHandler(nil) }
                let sending = Task { try await configuration.use { try await outbox.run() } }

                var events = Sessions(token: token)
                func add(_ count: Int) async throws {
                    for _ in 0..<count { try await outbox.add([events.next()], toVenue: home.venue.id) }
                }
                try await add(100)
                try await installation.kill(.events)
                let end = ContinuousClock.now + .seconds(60)
                var failed = failures.makeAsyncIterator()
                for round in 0... {
                    try await add(50)
                    if round >= 2, !Self.isLong || ContinuousClock.now >= end { break }
                    await failed.next(isolation: #isolation)
                }
                try await installation.start(.events)
                try await add(100)
                // Again, while it catches up.
                try await installation.kill(.events)
                try await add(10)
                try await installation.start(.events)
                let expected = events.made
                let home2 = home
                try await installation.client(.events).wait(for: "events/") {
                    try await home2.log().count >= expected.count
                }
                while await outbox.pendingCount > 0 { await Task.yield() }
                sending.cancel()
                try await sending.value
                let stored = try await home.log().map(\.id)
                print("outbox: \(expected.count) events added, \(stored.count) stored")
                #expect(stored == expected)
            }
        }

        /// Sessions of ten events, one after the other.
        private struct Sessions {
            let token: UUID
            private(set) var made: [UUID] = []
            private var session = UUID()
            private let start = Date.now.addingTimeInterval(-86_400)

            init(token: UUID) { self.token = token }

            mutating func next() -> ElectricVehicleLoadEvent {
                let step = made.count % 10
                if step == 0 { session = UUID() }
                let event = ElectricVehicleLoadEvent(
                    timestamp: start.addingTimeInterval(Double(made.count)),
                    measurement: .init(
                        stateOfCharge: 50, direction: .imported,
                        power: Measurement(value: step % 9 == 0 ? 0 : 7, unit: .kilowatts),
                        energy: Measurement(value: Double(step), unit: .EnergyKit.milliwattHours),
                        performanceMetrics: nil),
                    session: .init(
                        id: session, state: step == 0 ? .begin : step == 9 ? .end : .active,
                        guidanceState: .init(wasFollowingGuidance: true, guidanceToken: token)),
                    device: EnergyKitFlow.car)
                made.append(event.id)
                return event
            }
        }
    }
}
