import EnergyKit
import EnergyModel
import Testing

/// Each of the common mistakes gives the error that is documented for it.
extension EndToEnd {
    struct EnergyKitMistakes {
        private func expect(
            _ error: EnergyKitError, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
        ) async {
            let thrown = await #expect(throws: EnergyKitError.self, sourceLocation: sourceLocation) { try await body() }
            #expect(thrown == error, sourceLocation: sourceLocation)
        }

        private func first(_ venueID: UUID) async throws -> ElectricityGuidance {
            let query = ElectricityGuidance.Query(suggestedAction: .shift)
            for try await guidance in ElectricityGuidance.sharedService.guidance(using: query, at: venueID) {
                return guidance
            }
            throw HarnessError("the stream of guidance ended")
        }

        private func load(
            _ state: ElectricVehicleLoadEvent.Session.State, token: UUID, session: UUID = UUID(),
            minutesAgo: Double = 10,
            kilowatts: Double = 0, kilowattHours: Double = 0
        ) -> ElectricVehicleLoadEvent {
            ElectricVehicleLoadEvent(
                timestamp: .now.addingTimeInterval(-minutesAgo * 60),
                measurement: .init(
                    stateOfCharge: 45, direction: .imported, power: Measurement(value: kilowatts, unit: .kilowatts),
                    energy: Measurement(value: kilowattHours, unit: .kilowattHours), performanceMetrics: nil),
                session: .init(
                    id: session, state: state,
                    guidanceState: .init(wasFollowingGuidance: true, guidanceToken: token)),
                device: EnergyKitFlow.car)
        }

        private func insights(_ venueID: UUID) async throws {
            let query = ElectricityInsightQuery(
                options: [], range: DateInterval(start: .now, duration: 60), granularity: .daily,
                flowDirection: .imported)
            _ = try await ElectricityInsightService.shared.energyInsights(
                forDeviceID: "car", using: query, atVenue: venueID)
        }

        @Test(.timeLimit(.minutes(1)))
        func `a venue that is not there`() async throws {
            try await Installation.with(.ipc) { installation in
                let home = try await Household.move(into: installation)
                try await EnergyKitConfiguration(endpoints: installation.endpoints).use {
                    await expect(.venueUnavailable) { _ = try await first(UUID()) }
                    await expect(.venueUnavailable) { _ = try await EnergyVenue.venue(for: UUID()) }
                    await expect(.venueUnavailable) {
                        _ = try await EnergyVenue.venue(matchingHomeUniqueIdentifier: UUID())
                    }
                    await expect(.venueUnavailable) { try await insights(UUID()) }
                    let token = try await first(home.venue.id).guidanceToken
                    let saved = #"{"id":"\#(UUID().uuidString)","name":"Gone"}"#
                    let gone = try JSONDecoder().decode(EnergyVenue.self, from: Data(saved.utf8))
                    await expect(.invalidLoadEvent) { try await gone.submitEvents([load(.begin, token: token)]) }
                }
            }
        }

        @Test(.timeLimit(.minutes(1)))
        func `a token that was invented, a session without its begin, numbers that cannot be`() async throws {
            try await Installation.with(.ipc) { installation in
                let home = try await Household.move(into: installation)
                try await EnergyKitConfiguration(endpoints: installation.endpoints).use {
                    let venue = try await EnergyVenue.venue(for: home.venue.id)
                    let token = try await first(venue.id).guidanceToken
                    let session = UUID()
                    let begin = load(.begin, token: token, session: session)
                    let end = load(.end, token: token, session: session, minutesAgo: 5)
                    let refused = [
                        [load(.begin, token: UUID())], [load(.active, token: token, kilowatts: 7)], [end, begin],
                        [begin, load(.active, token: token, session: session, kilowatts: 7, kilowattHours: -1)],
                        [load(.begin, token: token, kilowattHours: 1)],
                        [load(.begin, token: token, minutesAgo: -3_600)],
                    ]
                    for events in refused {
                        await expect(.invalidLoadEvent) { try await venue.submitEvents(events) }
                    }
                    #expect(try await home.log().isEmpty)
                    // With power at begin, as Apple's own sample sends it.
                    try await venue.submitEvents([load(.begin, token: token, session: session, kilowatts: 7.2), end])
                    await expect(.invalidLoadEvent) {
                        try await venue.submitEvents([load(.active, token: token, session: session, kilowatts: 7)])
                    }
                }
            }
        }

        @Test(.timeLimit(.minutes(1)))
        func `nobody there`() async throws {
            try await Installation.with(.ipc, services: []) { installation in
                var configuration = try EnergyKitConfiguration(endpoints: installation.endpoints)
                configuration.requestTimeout = .milliseconds(200)
                configuration.firstGuidanceTimeout = .milliseconds(200)
                await configuration.use {
                    await expect(.serviceUnavailable) { _ = try await EnergyVenue.venues() }
                    await expect(.serviceUnavailable) { _ = try await first(UUID()) }
                }
            }
            var wrong = EnergyKitConfiguration()
            wrong.guidance.requestAddresses = ["tcp://192.0.2.1:7400"]
            // Another machine, without keys.
            await wrong.use { await expect(.serviceUnavailable) { _ = try await EnergyVenue.venues() } }
        }
    }
}
