internal import EnergyFeeds
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import Logging

/// What the simulator asks of its peers and hears from them.
extension DeviceSimulator {
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
                let now = self.wallClock.now
                guard schedule.goal.readyBy > now else { return }
                // Until now the orders before these were in force.
                if !next.state.isFull, next.advance(to: now) { self.post.ring() }
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
