internal import EnergyFeeds
public import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
public import Logging

/// Lives a household's car and heat pump: they follow their schedules and report through the same methods as any other
/// device. On the first start they get a past.
///
/// Every service may be away for any time: calls are tried again, longer apart each time, and events wait on disk.
public actor DeviceSimulator {
    let configuration: SimulatorConfiguration
    let connections: SimulatorConnections
    let wallClock: any WallClock
    let clock: any Clock<Duration>
    let logger: Logger
    let file: SimulatorStateFile
    /// Rings when there is something to simulate before the time that was waited for.
    let life: Alarm
    /// Rings when there are events to send.
    let post: Alarm
    /// Rings when there is a wish to tell the scheduler.
    let wishes: Alarm
    /// Rings when no event waits to be sent.
    let sent: Alarm

    /// - Parameter clock: for waiting; `wallClock` tells the time of day.
    public init(
        configuration: SimulatorConfiguration, connections: SimulatorConnections, wallClock: any WallClock,
        clock: any Clock<Duration>, logger: Logger
    ) {
        self.configuration = configuration
        self.connections = connections
        self.wallClock = wallClock
        self.clock = clock
        self.logger = logger
        file = SimulatorStateFile(url: configuration.stateFile)
        (life, post) = (Alarm(clock: clock), Alarm(clock: clock))
        (wishes, sent) = (Alarm(clock: clock), Alarm(clock: clock))
    }

    /// Set before anything else runs; see ``run()``.
    var household: Household?

    /// Simulates until the task is cancelled.
    ///
    /// - Throws: ``EnergyError`` `.unavailable` when the state file cannot be read or written.
    public func run() async throws(EnergyError) {
        guard let venue = await findVenue() else { return }
        let car = try VehicleSetup(seed: configuration.seed, venueID: venue.id, timeZone: venue.timeZone)
        let heatPump = HeatPumpSetup(seed: configuration.seed, venueID: venue.id, timeZone: venue.timeZone)
        // Once before the first event, so that the scheduler hears them; again with each goal if it must be.
        await putDevices([car.managed, heatPump.managed], attempts: 3)
        let state: SimulatorState
        if let known = try file.load(venueID: venue.id, seed: configuration.seed) {
            state = known
        } else {
            guard let first = await firstState(car, heatPump) else { return }
            try file.save(first)
            state = first
        }
        household = Household(
            car: VehicleSimulation(setup: car, state: state.vehicle),
            heatPump: HeatPumpSimulation(setup: heatPump, state: state.heatPump), state: state)
        await withDiscardingTaskGroup { group in
            group.addTask { await self.live() }
            group.addTask { await self.sendEvents() }
            group.addTask { await self.tellWishes() }
            group.addTask { await self.followGuidance(venue.id, .shift) }
            group.addTask { await self.followGuidance(venue.id, .reduce) }
            group.addTask { await self.followSchedule(venue.id, car.device.id) }
            group.addTask { await self.followSchedule(venue.id, heatPump.device.id) }
        }
    }

    // MARK: Living

    private func live() async {
        while !Task.isCancelled {
            let next = step()
            let wait = next.milliseconds(since: wallClock.now)
            await life.wait(for: .milliseconds(min(max(10, wait), .millisecondsPerHour)))
        }
    }

    /// Simulates up to now.
    ///
    /// - Returns: when there is something to do again.
    private func step() -> Timestamp {
        let now = wallClock.now
        guard let household, !household.state.isFull else {
            return now.advanced(byMilliseconds: .millisecondsPerMinute)
        }
        var next = household
        let hasNews = next.advance(to: now)
        // Nothing is sent that is not on disk: without a disk the simulation stands still.
        guard keep(next) else { return now.advanced(byMilliseconds: 10_000) }
        if hasNews { post.ring() }
        if next.hasWish { wishes.ring() }
        return next.nextChange
    }

    /// Makes a change of the household durable, then true.
    @discardableResult
    func keep(_ next: Household) -> Bool {
        var next = next
        next.collect()
        do throws(EnergyError) { try file.save(next.state) } catch {
            logger.error("the simulation stands still", metadata: ["error": "\(error.message)"])
            return false
        }
        household = next
        return true
    }

    // MARK: Sending

    private func sendEvents() async {
        var backoff = Backoff()
        while !Task.isCancelled {
            guard let batch = household?.state.outbox.first else {
                await post.wait(for: .seconds(3_600))
                continue
            }
            do throws(EnergyError) {
                let events = try EventBatch(decoding: Array(batch.body))
                _ = try await connections.events.call(Methods.submitEvents, events)
                backoff.succeeded()
                settle(batch, isRefused: false)
            } catch {
                if Task.isCancelled { return }
                if error.isFinal {
                    logger.warning("events were refused", metadata: ["error": "\(error.message)"])
                    settle(batch, isRefused: true)
                    continue
                }
                let wait = backoff.failed(atLeast: .milliseconds(max(0, error.retryAfterMilliseconds ?? 0)))
                logger.info("events wait", metadata: ["error": "\(error.message)", "next_try_in": "\(wait)"])
                try? await clock.sleep(for: wait)
            }
        }
    }

    /// Takes the first batch out of the outbox.
    private func settle(_ batch: SimulatorState.Batch, isRefused: Bool) {
        guard var next = household, !next.state.outbox.isEmpty else { return }
        next.state.outbox.removeFirst()
        // The log does not know this session: what follows would be refused too, so a new one begins.
        if isRefused { next.forgetSession(of: batch.deviceID) }
        keep(next)
        if next.state.outbox.isEmpty { sent.ring() }
    }
}

extension EnergyError {
    /// Asking again would fail again.
    var isFinal: Bool { [.invalidInput, .notFound, .denied, .conflict, .outOfRange].contains(code) }
}
