public import EnergyModel
internal import EnergyStore
public import EnergyWire
internal import Foundation

/// What holds at a venue, and what is expected there.
extension Scheduler {
    /// Those that were set; otherwise those of the settings. With the objective.
    public func limits(of venue: PlannedVenue) -> VenueLimits {
        let (setup, settings) = (setups[venue.venueID], planning.settings(of: venue.venueID).asked(of: venue.venueID))
        var limits = setup?.limits ?? settings
        limits.objective = setup?.objective ?? settings.objective
        return limits
    }

    /// Sets limits and objective in place of those of the settings, or goes back to these, and plans the venue anew.
    ///
    /// - Throws: ``EnergyError`` `.invalidInput`, also for devices that the venue does not have; `.notFound` for an unknown
    ///   venue; `.unavailable`.
    public func put(_ limits: VenueLimits) async throws(EnergyError) -> VenueLimits {
        if !limits.isDefault { try EnergyError.check(limits.violations) }
        try EnergyError.check(limits.objective?.violations ?? [])
        _ = try await timeZone(of: limits.venueID)
        let known = records.filter { $0.key.venueID == limits.venueID }
        // Reducing without a building is planned by itself.
        let alone = known.filter { $0.value.device.load == nil && $0.value.device.vehicle == nil }
        if !limits.isDefault {
            try EnergyError.check(
                limits.strangers(
                    to: Set(known.keys.map(\.deviceID)), unplanned: Set(alone.keys.map(\.deviceID))))
        }
        var stored = limits
        stored.objective = nil
        try await change(limits.venueID, isKept: false) { setup in
            setup.limits = limits.isDefault ? nil : stored
            if let objective = limits.objective { setup.objective = objective == .none ? nil : objective }
        }
        return self.limits(of: PlannedVenue(venueID: limits.venueID))
    }

    /// Sets the objective, or goes back to that of the settings, and plans the venue anew. Its limits stay as they are,
    /// whoever sets them meanwhile.
    ///
    /// - Throws: ``EnergyError`` `.invalidInput`; `.notFound` for an unknown venue; `.unavailable`.
    public func put(_ draft: ObjectiveDraft) async throws(EnergyError) -> VenueLimits {
        try EnergyError.check(draft.objective.violations)
        try await change(draft.venueID, isKept: false) { setup in
            setup.objective = draft.objective == .none ? nil : draft.objective
        }
        return limits(of: PlannedVenue(venueID: draft.venueID))
    }

    /// Empty if none was set.
    public func forecast(of venue: PlannedVenue) -> VenueForecast {
        setups[venue.venueID]?.forecast ?? VenueForecast(venueID: venue.venueID)
    }

    /// Sets what a venue expects in place of what it expected. Schedules that still hold are kept.
    ///
    /// - Throws: ``EnergyError`` `.invalidInput`; `.notFound` for an unknown venue; `.unavailable`.
    public func put(_ forecast: VenueForecast) async throws(EnergyError) -> VenueForecast {
        try EnergyError.check(forecast.violations(now: wallClock.now))
        try await change(forecast.venueID, isKept: true) { $0.forecast = forecast.isEmpty ? nil : forecast }
        return forecast
    }

    /// - Parameter isKept: schedules may be kept where they are still good; otherwise all are made anew.
    private func change(
        _ venueID: UUID, isKept: Bool, _ body: (inout VenueSetup) -> Void
    ) async throws(EnergyError) {
        _ = try await timeZone(of: venueID)
        try await exclusively { () async throws(EnergyError) in
            let before = setups[venueID] ?? VenueSetup(venueID: venueID)
            var setup = before
            body(&setup)
            guard setup != before else { return }
            try await store.save(setup)
            setups[venueID] = setup.isEmpty ? nil : setup
            if isKept {
                lookAgain(atVenue: venueID)
                return
            }
            // What was planned within other limits must not be kept, also if planning fails now and is tried again.
            for key in plannedKeys(at: venueID) {
                guard var record = records[key] else { continue }
                throwOver(&record, wallClock.now)
                records[key] = record
            }
            noteChange(of: venueID)
            lookAgain(atVenue: venueID)
        }
        if !isKept { await wait(for: round(of: venueID)) }
    }
}
