internal import EnergyFeeds
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import Logging

/// What the simulator asks of its peers and hears from them.
extension DeviceSimulator {
    // MARK: The first start

    /// - Returns: `nil` only when the task is cancelled.
    func findVenue() async -> Venue? {
        await untilAnswered("venues") { () async throws(EnergyError) in
            if let id = self.configuration.venueID {
                return try await self.connections.guidance.call(Methods.getVenue, .id(id))
            }
            let venues = try await self.connections.guidance.call(Methods.listVenues, Empty()).venues
            guard let first = venues.first else { throw EnergyError(.unavailable, "there is no venue yet") }
            return first
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

    // MARK: The scheduler

    /// - Returns: whether the scheduler has all of them.
    @discardableResult
    func putDevices(_ devices: [ManagedDevice], attempts: Int) async -> Bool {
        var backoff = Backoff(longest: .seconds(2))
        for attempt in 1...attempts {
            do throws(EnergyError) {
                for device in devices {
                    _ = try await connections.schedules.call(Methods.putDevice, device, timeout: .seconds(3))
                }
                return true
            } catch {
                logger.info("the scheduler has no devices yet", metadata: ["error": "\(error.message)"])
                if attempt < attempts && !Task.isCancelled { try? await clock.sleep(for: backoff.failed()) }
            }
        }
        return false
    }

    /// Sets goals as the household wishes them.
    func tellWishes() async {
        var backoff = Backoff()
        while !Task.isCancelled {
            guard let household, let draft = household.wishedGoal else {
                await wishes.wait(for: .seconds(3_600))
                continue
            }
            // A goal by state of charge is best planned after the state of charge is known.
            if !household.state.outbox.isEmpty { await sent.wait(for: .seconds(5)) }
            do throws(EnergyError) {
                let schedule: Schedule
                do throws(EnergyError) {
                    schedule = try await connections.schedules.call(Methods.putGoal, draft)
                } catch {
                    guard error.code == .notFound else { throw error }
                    // A scheduler that lost its store.
                    await putDevices([household.car.setup.managed, household.heatPump.setup.managed], attempts: 1)
                    schedule = try await connections.schedules.call(Methods.putGoal, draft)
                }
                backoff.succeeded()
                grant(draft, schedule)
            } catch {
                if Task.isCancelled { return }
                if error.code == .invalidInput {
                    logger.warning("a goal was refused", metadata: ["error": "\(error.message)"])
                    grant(draft, nil)
                    continue
                }
                let wait = backoff.failed(atLeast: .milliseconds(max(0, error.retryAfterMilliseconds ?? 0)))
                logger.info("a goal waits", metadata: ["error": "\(error.message)", "next_try_in": "\(wait)"])
                try? await clock.sleep(for: wait)
            }
        }
    }

    private func grant(_ draft: GoalDraft, _ schedule: Schedule?) {
        guard var next = household else { return }
        next.markKnown(draft)
        if let schedule { next.follow(schedule) }
        keep(next)
        life.ring()
    }

    func followSchedule(_ venueID: UUID, _ deviceID: String) async {
        let feed = ScheduleFeed(
            venueID: venueID, deviceID: deviceID, client: connections.schedules,
            subscriber: connections.scheduleUpdates, clock: clock)
        await forever { () async throws(EnergyError) in
            try await feed.run { schedule in
                guard var next = self.household else { return }
                // Of an earlier stay, or removed: nothing to follow.
                guard schedule.goal.readyBy > self.wallClock.now else { return }
                next.follow(schedule)
                self.keep(next)
                self.life.ring()
            }
        }
    }

    // MARK: Guidance

    /// Keeps a token at hand: a session names the guidance that was there when it began.
    func followGuidance(_ venueID: UUID, _ action: SuggestedAction) async {
        let feed = GuidanceFeed(
            venueID: venueID, action: action, client: connections.guidance, subscriber: connections.guidanceUpdates,
            clock: clock)
        await forever { () async throws(EnergyError) in
            try await feed.run { guidance in
                guard var next = self.household else { return }
                if action == .shift {
                    next.state.vehicleToken = guidance.token
                } else {
                    next.state.heatPumpToken = guidance.token
                }
                self.keep(next)
            }
        }
    }

    private func forever(_ follow: () async throws(EnergyError) -> Void) async {
        while !Task.isCancelled {
            do throws(EnergyError) { try await follow() } catch {
                logger.warning("refused", metadata: ["error": "\(error.message)"])
                try? await clock.sleep(for: .seconds(30))
            }
        }
    }
}

extension Household {
    /// The first goal that the scheduler does not have yet.
    var wishedGoal: GoalDraft? {
        if let wish = car.state.wish, !wish.isKnown {
            return GoalDraft(
                venueID: car.setup.venueID, deviceID: car.setup.device.id,
                readyBy: Timestamp(unixMilliseconds: wish.readyBy), target: .stateOfCharge(wish.stateOfCharge))
        }
        if let wish = heatPump.state.wish, !wish.isKnown {
            return GoalDraft(
                venueID: heatPump.setup.venueID, deviceID: heatPump.setup.device.id,
                readyBy: Timestamp(unixMilliseconds: wish.readyBy),
                target: .reduce(maxMilliseconds: HeatPumpSimulation.reduceMillisecondsMax))
        }
        return nil
    }

    /// The scheduler has the goal, or will never take it.
    mutating func markKnown(_ draft: GoalDraft) {
        if draft.deviceID == car.setup.device.id, car.state.wish?.readyBy == draft.readyBy.unixMilliseconds {
            car.state.wish?.isKnown = true
        }
        if draft.deviceID == heatPump.setup.device.id, heatPump.state.wish?.readyBy == draft.readyBy.unixMilliseconds {
            heatPump.state.wish?.isKnown = true
        }
    }
}
