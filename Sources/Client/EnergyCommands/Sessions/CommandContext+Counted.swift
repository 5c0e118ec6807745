internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import ServiceEndpoints

extension CommandContext {
    /// Returns when the insight-service has counted a session to its end: then it has counted everything that was
    /// acknowledged for its venue before, too.
    ///
    /// - Parameters:
    ///   - began: of the session.
    ///   - limit: how long is waited.
    /// - Returns: `false` if it has not by then.
    func isCounted(
        _ key: SessionKey, of deviceID: String, began: Timestamp, within limit: Duration
    ) async -> Bool {
        guard let connection = try? connection(.insights) else { return false }
        let topic = Topics.insights(venueID: key.venueID, deviceID: deviceID)
        let query = SessionQuery(
            venueID: key.venueID, deviceID: deviceID, range: Interval(start: began, milliseconds: 1))
        @Sendable func isThere() async -> Bool {
            let sessions = try? await sessions(query)
            return sessions?.contains { $0.key == key && $0.isOver } ?? false
        }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                // Before the first look, so that nothing falls between the two.
                var news = connection.subscribe(topic).makeAsyncIterator()
                repeat { if await isThere() { return true } } while await news.next() != nil
                return false
            }
            group.addTask { [clock] in
                try? await clock.sleep(for: limit)
                return false
            }
            let isCounted = await group.next() ?? false
            group.cancelAll()
            return isCounted
        }
    }
}
