internal import EnergyModel
internal import EnergyStore

/// Where baselines begin.
extension ProjectionDraft {
    /// Works out the baselines of the sessions that are over, and where they begin: of those that something was counted
    /// of, and of those that what was counted bears on. All of it follows from times, so the order of the log does not matter.
    ///
    /// - Throws: `.unavailable` when signals or store cannot be had now.
    mutating func settle() async throws(EnergyError) {
        letGo()
        var (spans, last) = (spans, [VehicleKey: CountedSession]())
        while !spans.isEmpty { spans = try await settle(spans, after: &last) }
        for key in touched {
            guard var session = sessions[key], session.baseline == nil, let segment = session.baselineSegment?.segment
            else { continue }
            session.baseline = session.baseline(by: try await book.terms(key.venueID, segment.interval))
            sessions[key] = session
        }
    }

    /// - Parameter known: as they were, of sessions that were counted anew here.
    mutating func keepPlugIns(of known: [CountedSession]) {
        letGo()
        for session in known { sessions[session.key] = sessions[session.key]?.moved(to: session.pluggedIn) }
    }

    /// Of each vehicle the time in which sessions may begin that what was counted bears on.
    private var spans: [VehicleKey: Interval] {
        var spans: [VehicleKey: Interval] = [:]
        func add(_ vehicle: VehicleKey?, _ first: Timestamp, _ last: Timestamp) {
            guard let vehicle else { return }
            let span = spans[vehicle] ?? .bearing(first, last)
            let end = max(span.end, Interval.bearing(first, last).end)
            spans[vehicle] = Interval(start: min(span.start, first), end: end) ?? span
        }
        for status in statuses { add(VehicleKey(status), status.time.clamped, status.time.clamped) }
        for session in touched.lazy.compactMap({ sessions[$0] }) {
            add(VehicleKey(session), session.began, session.timestamp)
        }
        return spans
    }

    /// - Parameter previous: the sessions before the spans, of vehicles where these were looked at before.
    /// - Returns: where the last of the sessions moved, the time in which those may begin that it bears on.
    private mutating func settle(
        _ spans: [VehicleKey: Interval], after previous: inout [VehicleKey: CountedSession]
    ) async throws(EnergyError) -> [VehicleKey: Interval] {
        let affected = try await sessions(in: spans)
        let histories = try await book.store.plugHistories(of: spans.filter { affected[$0.key] != nil })
        let statuses = Dictionary(grouping: statuses, by: VehicleKey.init)
        var next: [VehicleKey: Interval] = [:]
        for (vehicle, affected) in affected {
            let words = (histories[vehicle]?.words ?? []) + (statuses[vehicle] ?? []).compactMap(PlugHistory.Word.init)
            let history = PlugHistory(previous: previous[vehicle] ?? histories[vehicle]?.previous, words: words)
            guard let last = settle(affected, history), let span = spans[vehicle] else { continue }
            previous[vehicle] = last
            next[vehicle] = Interval(start: span.end, end: Interval.bearing(last.began, last.timestamp).end)
        }
        return next
    }

    /// - Parameter affected: all of one vehicle's sessions in a stretch of time, sorted.
    /// - Returns: the last of them, where it moved.
    private mutating func settle(_ affected: [CountedSession], _ history: PlugHistory) -> CountedSession? {
        var previous = history.previous.map { sessions[$0.key] ?? $0 }
        var moved: CountedSession?
        for session in affected {
            // Where the words are too old to be kept, what followed from them is.
            let pluggedIn =
                history.says(anythingBefore: session.began)
                ? history.pluggedIn(before: session.began, after: previous) : session.pluggedIn
            moved = pluggedIn == session.pluggedIn ? nil : session.moved(to: pluggedIn)
            if let moved {
                sessions[moved.key] = moved
                touched.insert(moved.key)
            }
            previous = moved ?? session
        }
        return moved
    }

    /// Of each vehicle the sessions that begin in its span, as they are counted by now; nothing of one whose plug-ins
    /// are as they were.
    private func sessions(
        in spans: [VehicleKey: Interval]
    ) async throws(EnergyError) -> [VehicleKey: [CountedSession]] {
        var found = try await book.store.sessions(of: spans).mapValues { stored in
            stored.reduce(into: [:]) { $0[$1.key] = $1 }
        }
        for session in touched.lazy.compactMap({ sessions[$0] }) {
            guard let vehicle = VehicleKey(session), spans[vehicle]?.contains(session.began) == true else { continue }
            found[vehicle, default: [:]][session.key] = session
        }
        let said = statuses.reduce(into: [VehicleKey: Timestamp]()) { said, status in
            let vehicle = VehicleKey(status)
            said[vehicle] = min(said[vehicle] ?? status.time, status.time)
        }
        return found.mapValues { $0.values.sorted { SessionCursor($0) < SessionCursor($1) } }.filter { item in
            guard let only = item.value.first, item.value.count == 1, touched.contains(only.key),
                !begun.contains(only.key)
            else { return true }
            // It merely went on.
            return said[item.key].map { $0 < only.began } ?? false
        }
    }
}

extension Interval {
    /// In which sessions may begin that something from `first` to `last` bears on.
    fileprivate static func bearing(_ first: Timestamp, _ last: Timestamp) -> Interval {
        let milliseconds = max(0, last.milliseconds(since: first)) + PlugHistory.millisecondsMax + 1
        return Interval(start: first, milliseconds: milliseconds)
    }
}

extension VehicleKey {
    /// - Parameter status: of a vehicle.
    fileprivate init(_ status: Activity) { self.init(venueID: status.venueID, deviceID: status.device.id) }
}
