public import EnergyModel
internal import EnergyStore
public import EnergyWire
internal import Foundation

/// What others ask of the scheduler.
extension Scheduler {
    /// All devices of one venue or of all, sorted by venue and id.
    public func devices(_ filter: VenueFilter) -> DeviceList {
        let found = records.filter { filter.venueID == nil || $0.key.venueID == filter.venueID }
        return DeviceList(devices: found.sorted { $0.key < $1.key }.map(\.value.device))
    }

    /// Adds a device, or replaces what is known of it.
    ///
    /// - Throws: ``EnergyError`` `.invalidInput`; `.notFound` for an unknown venue; `.unavailable` when the venue cannot
    ///   be looked up or the store does not answer; `.rateLimited` beyond ``devicesMax``.
    public func put(_ device: ManagedDevice) async throws(EnergyError) -> ManagedDevice {
        let sanitized = sanitized(device)
        try GoalRules.check(sanitized)
        let timeZone = try await timeZone(of: device.venueID)
        return try await exclusively { () async throws(EnergyError) in
            let key = DeviceKey(venueID: device.venueID, deviceID: device.device.id)
            if records[key] == nil, records.keys.count(where: { $0.venueID == key.venueID }) >= Self.devicesMax {
                throw EnergyError(.rateLimited, "a venue has at most \(Self.devicesMax) devices")
            }
            let known = records[key]
            if let known, known.device.device.kind != device.device.kind, known.goal != nil {
                throw EnergyError(.conflict, "the device has a goal for \(known.device.device.kind.words)")
            }
            var record = known ?? DeviceRecord(device: sanitized, timeZone: timeZone)
            record.device = sanitized
            record.timeZone = timeZone
            switch device.load {
            case .battery(let battery):
                // What is not said again is as it was.
                if battery.stateOfCharge != nil || record.progress.reading == nil {
                    record.read(battery.assumedStateOfCharge, now: wallClock.now)
                }
            case .climate(let climate): record.read(climate.indoor, now: wallClock.now)
            case .appliance, nil: record.progress.reading = nil
            }
            if record != known { try await commit([record], positions: [], now: wallClock.now) }
            if known?.device.vehicle != sanitized.vehicle { noteChange(of: device.venueID) }
            if known?.device.vehicle != sanitized.vehicle || sanitized.load != nil { lookAgain(at: key) }
            return sanitized
        }
    }

    /// Forgets a device with its goals, rules and plan. What it reported stays where that is kept.
    ///
    /// - Throws: ``EnergyError`` `.notFound` for an unknown device; `.unavailable` when the store does not answer.
    public func remove(_ removal: DeviceRemoval) async throws(EnergyError) {
        // Its followers get a schedule without blocks.
        try await deleteGoal(of: DeviceReference(venueID: removal.venueID, deviceID: removal.deviceID))
        _ = try await erase(DataSubject(venueID: removal.venueID, deviceID: removal.deviceID))
    }

    /// With the rules that are known: these are set by themselves.
    private func sanitized(_ device: ManagedDevice) -> ManagedDevice {
        let key = DeviceKey(venueID: device.venueID, deviceID: device.device.id)
        var sanitized = device
        sanitized.device = device.device.sanitized
        sanitized.rules = records[key]?.device.rules ?? ChargingRules()
        if case .battery(var battery) = device.load, battery.stateOfCharge == nil,
            case .battery(let known) = records[key]?.device.load
        {
            battery.stateOfCharge = known.stateOfCharge
            sanitized.load = .battery(battery)
        }
        return sanitized
    }

    /// The schedules of devices that have a goal, sorted by venue and device id; their blocks with the ratings of the
    /// guidance now valid.
    public func schedules(_ filter: ScheduleFilter) -> ScheduleList {
        let now = wallClock.now
        let found = records.filter { key, record in
            (filter.venueID == nil || key.venueID == filter.venueID)
                && (filter.deviceID == nil || key.deviceID == filter.deviceID)
                && (record.goal.map { $0.readyBy > now } ?? false)
        }
        let schedules = found.sorted { $0.key < $1.key }.compactMap { plan(of: $0.value) }.map { schedule in
            let feed = FeedKey(venueID: schedule.venueID, action: schedule.goal.target.action)
            return schedule.rated(by: guidance[feed], now: now)
        }
        return ScheduleList(schedules: schedules)
    }

    static func unknownDevice() -> EnergyError {
        EnergyError(.notFound, "the scheduler knows no such device at the venue: put the device first")
    }

    /// Of a venue that was seen before, even while the guidance-publisher is away; otherwise asked for.
    func timeZone(of venueID: UUID) async throws(EnergyError) -> TimeZone {
        if let venue = venues[venueID] { return venue.timeZone }
        do throws(EnergyError) {
            let venue = try await connections.guidance.call(Methods.getVenue, .id(venueID), timeout: .seconds(5))
            guard venue.removed == nil else { throw EnergyError(.notFound, "the venue \(venue.name) was removed") }
            venues[venueID] = venue
            return venue.timeZone
        } catch {
            let known = records.first { $0.key.venueID == venueID }?.value.timeZone
            guard error.code == .unavailable, let known else { throw error }
            return known
        }
    }

    /// So that a first goal is not planned without guidance just because nobody had asked for it yet.
    func askGuidance(_ key: FeedKey) async {
        guard guidance[key] == nil else { return }
        let request = GuidanceRequest(venueID: key.venueID, action: key.action)
        let answer = try? await connections.guidance.call(Methods.getGuidance, request, timeout: .seconds(1))
        if let answer, guidance[key] == nil { guidance[key] = answer }
    }
}
