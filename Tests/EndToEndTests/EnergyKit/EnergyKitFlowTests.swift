import EnergyKit
import EnergyModel
import EnergyTransport
import EnergyWire
import Testing

/// What programs written for EnergyKit do, against real services.
extension EndToEnd {
    struct EnergyKitFlow {
        @Test(.timeLimit(.minutes(1)), arguments: Installation.Addressing.allCases)
        func `venues, guidance, a charge with its status, and what it was worth`(
            addressing: Installation.Addressing
        ) async throws {
            try await Installation.with(addressing) { installation in
                let home = try await Household.move(into: installation)
                try await installation.energyKit.use {
                    let venue = try await findVenue(home)
                    let guidance = try await firstGuidance(venue)
                    try await charge(venue, guidance)
                    try await installation.client(.insights).wait(
                        for: Topics.insights(venueID: venue.id, deviceID: Self.car.id)
                    ) { try await Self.energy(venue) == Measurement(value: 35, unit: .kilowattHours) }
                    try await checkInsights(venue)
                    try await checkTariff(installation, venue, guidance)
                }
            }
        }

        static let car = ElectricalLoadDevice(
            id: "C621E1F8-A36B-495A-93FC-0C247A3E6F5E", name: "My Electric Vehicle", type: .electricVehicle)
        static let heatPump = ElectricalLoadDevice(id: "heat-pump", name: "Heat pump", type: .hvac)

        /// By list, by identifier and by home.
        private func findVenue(_ home: Household) async throws -> EnergyVenue {
            let homeID = UUID()
            try await home.signContract(homeID: homeID)
            let venue = try #require(try await EnergyVenue.venues().first)
            #expect(venue.id == home.venue.id)
            #expect(venue.name == home.venue.name)
            #expect(try await EnergyVenue.venue(for: venue.id).name == venue.name)
            #expect(try await EnergyVenue.venue(matchingHomeUniqueIdentifier: homeID).id == venue.id)
            return venue
        }

        private func firstGuidance(_ venue: EnergyVenue) async throws -> ElectricityGuidance {
            let query = ElectricityGuidance.Query(suggestedAction: .shift)
            for try await guidance in ElectricityGuidance.sharedService.guidance(using: query, at: venue.id) {
                #expect(guidance.energyVenueID == venue.id)
                #expect(guidance.suggestedAction == .shift)
                #expect(guidance.interval.duration > 20 * 3_600)
                #expect(guidance.values.allSatisfy { 0...1 ~= $0.rating })
                #expect(guidance.options == [.locationHasRatePlan, .guidanceIncorporatesRatePlan])
                // As in the article: the lowest ratings that fit into the window.
                let best = guidance.values.sorted { $0.rating < $1.rating }.prefix(4)
                #expect(best.allSatisfy { guidance.interval.contains($0.interval.start) })
                return guidance
            }
            throw HarnessError("the stream of guidance ended")
        }

        private func charge(_ venue: EnergyVenue, _ guidance: ElectricityGuidance) async throws {
            let session = UUID()
            let start = Date.now.addingTimeInterval(-3 * 3_600)
            func load(
                _ state: ElectricVehicleLoadEvent.Session.State, hour: Double, kilowatts: Double, energy: Double
            ) -> ElectricVehicleLoadEvent {
                ElectricVehicleLoadEvent(
                    timestamp: start.addingTimeInterval(hour * 3_600),
                    measurement: ElectricVehicleLoadEvent.ElectricalMeasurement(
                        stateOfCharge: 43 + Int(energy), direction: .imported,
                        power: Measurement(value: kilowatts, unit: .kilowatts),
                        energy: Measurement(value: energy * 1_000_000, unit: .EnergyKit.milliwattHours),
                        performanceMetrics: .init(estimatedRange: Measurement(value: 220, unit: .miles))),
                    session: .init(
                        id: session, state: state,
                        guidanceState: .init(wasFollowingGuidance: true, guidanceToken: guidance.guidanceToken)),
                    device: Self.car)
            }
            func status(_ status: ElectricVehicleStatusEvent.Status, hour: Double) -> ElectricVehicleStatusEvent {
                ElectricVehicleStatusEvent(
                    timestamp: start.addingTimeInterval(hour * 3_600), device: Self.car, venueID: venue.id,
                    status: status, stateOfCharge: 43, energy: Measurement(value: 25, unit: .kilowattHours),
                    sessionIdentifier: session)
            }
            let loads = [
                load(.begin, hour: 0, kilowatts: 0, energy: 0), load(.active, hour: 0.25, kilowatts: 35, energy: 8.75),
                load(.end, hour: 1, kilowatts: 0, energy: 35),
            ]
            let statuses = [
                status(.chargerPluggedIn, hour: 0), status(.chargingIdle(.waitingForCleanerEnergy), hour: 0),
                status(.chargingActive(.cleanerEnergyAvailable), hour: 0.1), status(.chargerUnplugged, hour: 1.5),
            ]
            let all: [any ElectricalLoadEventProtocol] = loads + statuses
            try await venue.submitEvents(all)
            // Again: nothing is counted twice.
            try await venue.submitEvents(loads)
            try await venue.submitEvents(heating(guidance, start))
        }

        /// A short session under the contract, by the recorder, is counted at its rates.
        private func checkTariff(
            _ installation: Installation, _ venue: EnergyVenue, _ guidance: ElectricityGuidance
        ) async throws {
            let car = ElectricalLoadDevice(id: "second-car", name: "Second car", type: .electricVehicle)
            var recorder = ElectricVehicleSessionRecorder(
                device: car, guidance: .init(wasFollowingGuidance: true, guidanceToken: guidance.guidanceToken))
            let start = Date.now
            var events: [ElectricVehicleLoadEvent] = []
            for (seconds, kilowatts, meter) in [(1.0, 60.0, 500.0), (31, 60, 500.5), (61, 0, 501)] {
                events += recorder.record(
                    ElectricVehicleReading(
                        timestamp: start.addingTimeInterval(seconds), stateOfCharge: 50,
                        power: Measurement(value: kilowatts, unit: .kilowatts),
                        meter: Measurement(value: meter, unit: .kilowattHours)))
            }
            try await venue.submitEvents(events)
            let range = DateInterval(start: start, duration: 60)
            let query = Self.query(.hourly, range: range)
            try await installation.client(.insights).wait(
                for: Topics.insights(venueID: venue.id, deviceID: car.id)
            ) {
                var peaks = 0.0
                for await record in try await ElectricityInsightService.shared.energyInsights(
                    forDeviceID: car.id, using: query, atVenue: venue.id)
                {
                    let tariff = record.dataByTariffPeak
                    peaks += [tariff?.offPeak, tariff?.onPeak].compactMap { $0?.value }.reduce(0, +)
                }
                return peaks == 1_000_000
            }
        }

        private func heating(_ guidance: ElectricityGuidance, _ start: Date) -> [ElectricHVACLoadEvent] {
            let session = UUID()
            let steps: [(ElectricHVACLoadEvent.Session.State, Int, Double)] = [
                (.begin, 0, 0), (.active, 60, 0), (.active, 100, 600), (.end, 0, 1_800),
            ]
            return steps.map { state, stage, seconds in
                ElectricHVACLoadEvent(
                    timestamp: start.addingTimeInterval(seconds), measurement: .init(stage: stage),
                    session: .init(
                        id: session, state: state,
                        guidanceState: .init(wasFollowingGuidance: true, guidanceToken: guidance.guidanceToken)),
                    device: Self.heatPump)
            }
        }

        private static func query(
            _ granularity: ElectricityInsightQuery.Granularity, range: DateInterval? = nil
        ) -> ElectricityInsightQuery {
            let lastDays = DateInterval(start: .now.addingTimeInterval(-2 * 86_400), end: .now)
            return ElectricityInsightQuery(
                options: .cleanliness.union(.tariff), range: range ?? lastDays, granularity: granularity,
                flowDirection: .imported)
        }

        /// Of the last days, by a service of its own: the shared one may be busy in another test.
        private static func energy(_ venue: EnergyVenue) async throws -> Measurement<UnitEnergy> {
            var sum = Measurement<UnitEnergy>(value: 0, unit: .kilowattHours)
            for await record in try await ElectricityInsightService.shared.energyInsights(
                forDeviceID: car.id, using: query(.daily), atVenue: venue.id)
            { sum = sum + (record.totalEnergy ?? Measurement(value: 0, unit: .kilowattHours)) }
            return sum
        }

        private func checkInsights(_ venue: EnergyVenue) async throws {
            let service = ElectricityInsightService.shared
            for granularity: ElectricityInsightQuery.Granularity in [.hourly, .daily, .weekly, .monthly, .yearly] {
                var sum = 0.0
                for await record in try await service.energyInsights(
                    forDeviceID: Self.car.id, using: Self.query(granularity), atVenue: venue.id)
                {
                    let total = record.totalEnergy?.value ?? 0
                    let clean = record.dataByGridCleanliness
                    #expect(
                        [clean?.cleaner, clean?.lessClean, clean?.unknown].compactMap { $0?.value }.reduce(0, +)
                            == total)
                    // The contract came after the charge: what it cost then was not known, and stays so.
                    #expect(record.dataByTariffPeak == nil)
                    sum += total
                }
                #expect(sum == 35_000_000, "\(granularity)")
            }
            // A day starts at midnight of the venue, whatever was asked for.
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = try #require(TimeZone(identifier: Household.zone))
            let midnight = calendar.startOfDay(for: .now.addingTimeInterval(-3 * 3_600))
            let day = DateInterval(start: midnight, duration: 3_600)
            let record = try await service.energyInsights(
                forDeviceID: Self.car.id, using: Self.query(.daily, range: day), atVenue: venue.id
            ).first { $0.range.start == day.start }
            #expect(record != nil)

            var runtime = Duration.zero
            for await record in try await service.runtimeInsights(
                forDeviceID: Self.heatPump.id,
                using: Self.query(.hourly, range: DateInterval(start: .distantPast, end: .distantFuture)),
                atVenue: venue.id)
            { runtime += record.totalRuntime ?? .zero }
            #expect(runtime == .seconds(1_800))
        }
    }
}
