extension EnergyVenue {
    /// Submits events of one kind, of any devices at this venue, in the order in which they occurred.
    ///
    /// When it returns, the events are stored and will be in the insights. An event that was stored before is not stored
    /// again, so after an error the same events can be submitted once more. Up to 1,000 events are all or nothing; more
    /// are sent in parts of 1,000.
    ///
    /// - Throws: ``EnergyKitError/invalidLoadEvent`` when an event breaks a rule, ``EnergyKitError/rateLimitExceeded``,
    ///   ``EnergyKitError/permissionDenied``, ``EnergyKitError/serviceUnavailable``.
    public func submitEvents<Event>(_ events: [Event]) async throws where Event: ElectricalLoadEventProtocol {
        try await EventSubmission(venueID: id).submit(events)
    }

    /// Submits events of several kinds; otherwise as the method for one kind.
    public func submitEvents(_ events: [any ElectricalLoadEventProtocol]) async throws {
        try await EventSubmission(venueID: id).submit(events)
    }
}
