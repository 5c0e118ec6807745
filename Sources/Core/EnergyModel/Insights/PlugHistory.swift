/// What decides where the baselines of a vehicle's sessions begin: what it said of its plug, and the session before.
///
/// All of it is known by its time, so that it does not matter in which order it is told.
public struct PlugHistory: Hashable, Sendable {
    /// Who waits longer did not wait for better energy: such a stay says nothing about when a session could have begun.
    public static let waitMillisecondsMax = 7 * Int64.millisecondsPerDay
    /// What was longer ago does not count: not every vehicle says that it was unplugged.
    public static let millisecondsMax = 14 * Int64.millisecondsPerDay

    /// One status of the vehicle. Whatever it says, but for unplugged, it says plugged in.
    public struct Word: Hashable, Sendable {
        public let time: Timestamp
        public let status: VehicleStatus.Status

        public init(time: Timestamp, status: VehicleStatus.Status) {
            self.time = time
            self.status = status
        }

        /// - Returns: `nil` for what is no status.
        public init?(_ activity: Activity) {
            guard case .status(let report) = activity.content else { return nil }
            self.init(time: activity.time.clamped, status: report.status)
        }
    }

    /// The session before those that are asked about.
    public let previous: CountedSession?
    /// Sorted by time; of one time, unplugged comes first.
    public let words: [Word]

    /// - Parameter words: in any order.
    public init(previous: CountedSession? = nil, words: [Word] = []) {
        self.previous = previous
        self.words = words.sorted { ($0.time, $0.rank) < ($1.time, $1.rank) }
    }

    /// When the energy of a session could first have been taken, as far as is known: at the first word of a plug-in since
    /// the vehicle was unplugged last, and behind what the session before in the same stay could have taken
    /// (``CountedSession/resumes``).
    ///
    /// - Parameters:
    ///   - began: when the session did.
    ///   - previous: the vehicle's session before it.
    /// - Returns: `nil` where that is not known, not before it began, or more than ``waitMillisecondsMax`` before.
    public func pluggedIn(before began: Timestamp, after previous: CountedSession?) -> Timestamp? {
        let earliest = Self.earliest(before: began)
        let said = words.filter { earliest <= $0.time && $0.time < began }
        let unplugged = said.last { $0.status == .unplugged }?.time
        let plugged = said.filter { $0.status != .unplugged && $0.time >= unplugged ?? earliest }
        var first = plugged.first?.time
        if let previous, previous.timestamp >= earliest, unplugged.map({ $0 < previous.timestamp }) ?? true {
            let since = plugged.drop { $0.time < previous.timestamp }
            // Whoever says plugged in was unplugged before, and did not say so.
            let again = since.first { $0.status == .pluggedIn }?.time
            let isSameStay = since.count < plugged.count
            first = again ?? (isSameStay ? previous.resumes : since.first?.time)
        }
        guard let first, first < began, began.milliseconds(since: first) <= Self.waitMillisecondsMax else { return nil }
        return first
    }

    /// Whether there is any word that counts for a session.
    public func says(anythingBefore began: Timestamp) -> Bool {
        words.contains { Self.earliest(before: began) <= $0.time && $0.time < began }
    }

    private static func earliest(before began: Timestamp) -> Timestamp {
        began.advanced(byMilliseconds: -millisecondsMax)
    }
}

extension PlugHistory.Word {
    fileprivate var rank: Int { status == .unplugged ? 0 : 1 }
}
