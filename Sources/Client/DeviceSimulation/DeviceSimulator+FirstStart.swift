internal import EnergyFeeds
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import Logging

/// How a household begins.
extension DeviceSimulator {
    /// - Returns: `nil` only when the task is cancelled.
    func findVenue() async -> Venue? {
        var isAnyNew = false
        return await untilAnswered("venues") { () async throws(EnergyError) in
            if let id = self.configuration.venueID {
                let venue = try await self.connections.guidance.call(Methods.getVenue, .id(id))
                guard venue.removed == nil else { throw EnergyError(.unavailable, "the venue was removed") }
                return venue
            }
            let venues = try await self.connections.guidance.call(Methods.listVenues, Empty()).venues
            // Where it lived before, even if another venue is the first of the list by now: nobody moves in their sleep.
            if let known = venues.first(where: { $0.id == self.file.lastVenueID }) { return known }
            // Who sets up a home while it waits has no devices that are simulated.
            if let first = isAnyNew ? venues.first(where: DemoHome.isExample) : venues.first { return first }
            isAnyNew = true
            throw EnergyError(.unavailable, "there is no venue yet to be looked at; simulation.venue may name one")
        }
    }

    /// A household with a past, unless its devices have one already: then one that begins now.
    ///
    /// - Returns: `nil` only when the task is cancelled.
    func firstState(_ car: VehicleSetup, _ heatPump: HeatPumpSetup) async -> SimulatorState? {
        guard
            let carToken = await token(car.venueID, .shift), let heatPumpToken = await token(car.venueID, .reduce),
            let isNew = await hasNoPast(car)
        else { return nil }
        let now = wallClock.now
        if isNew && configuration.historyDays > 0 {
            let history = SimulatorHistory(
                vehicle: car, heatPump: heatPump, vehicleToken: carToken, heatPumpToken: heatPumpToken)
            let (carNow, carEvents) = history.vehicleLife(days: configuration.historyDays, until: now)
            let (heatPumpNow, heatPumpEvents) = history.heatPumpLife(days: configuration.historyDays, until: now)
            var state = SimulatorState(
                venueID: car.venueID, seed: configuration.seed, vehicle: carNow.state, heatPump: heatPumpNow.state,
                vehicleToken: carToken, heatPumpToken: heatPumpToken)
            state.post(carEvents, deviceID: car.device.id)
            state.post(heatPumpEvents, deviceID: heatPump.device.id)
            return state
        }
        return SimulatorState(
            venueID: car.venueID, seed: configuration.seed, vehicle: .arriving(at: now),
            heatPump: .init(now: now.unixMilliseconds), vehicleToken: carToken, heatPumpToken: heatPumpToken)
    }

    private func token(_ venueID: UUID, _ action: SuggestedAction) async -> UUID? {
        await untilAnswered("guidance") { () async throws(EnergyError) in
            let request = GuidanceRequest(venueID: venueID, action: action)
            return try await self.connections.guidance.call(Methods.getGuidance, request).token
        }
    }

    /// Whether nothing is known of the car: a state file can be lost while the log is not.
    private func hasNoPast(_ car: VehicleSetup) async -> Bool? {
        let now = wallClock.now
        let past = Interval(start: now.advanced(byMilliseconds: -30 * .millisecondsPerDay), end: now)
        guard let past else { return true }
        let query = InsightQuery(
            venueID: car.venueID, deviceID: car.device.id, range: past, granularity: .monthly, direction: .imported,
            byCleanliness: false, byTariff: false, exactRange: true)
        return await untilAnswered("insights") { () async throws(EnergyError) in
            var isNew = true
            do throws(EnergyError) {
                try await self.connections.insights.stream(Methods.queryInsights, query, timeout: .seconds(20)) {
                    (page) async throws(EnergyError) in
                    if page.records.contains(where: { $0.total != .zero }) { isNew = false }
                }
            } catch {
                // A device that nobody has heard of has no past.
                guard error.code == .notFound else { throw error }
            }
            return isNew
        }
    }

    /// Asks until there is an answer.
    ///
    /// - Returns: `nil` only when the task is cancelled.
    private func untilAnswered<Answer>(
        _ what: String, _ ask: () async throws(EnergyError) -> Answer
    ) async -> Answer? {
        var backoff = Backoff(longest: .seconds(5))
        while !Task.isCancelled {
            do throws(EnergyError) { return try await ask() } catch {
                let wait = backoff.failed(atLeast: .milliseconds(max(0, error.retryAfterMilliseconds ?? 0)))
                logger.info(
                    "waiting", metadata: ["for": "\(what)", "error": "\(error.message)", "next_try_in": "\(wait)"])
                try? await clock.sleep(for: wait)
            }
        }
        return nil
    }
}
