public import Foundation

/// A vehicle's name, unique among all venues.
public struct VehicleKey: Hashable, Sendable {
    public let venueID: UUID
    public let deviceID: String

    public init(venueID: UUID, deviceID: String) {
        self.venueID = venueID
        self.deviceID = deviceID
    }

    /// - Returns: `nil` for an event of another kind of device.
    public init?(_ event: Event) {
        switch event.content {
        case .vehicleLoad, .vehicleStatus: self.init(venueID: event.venueID, deviceID: event.device.id)
        case .hvacLoad: return nil
        }
    }
}

/// Since when a vehicle is plugged in and takes no energy, as its events say.
///
/// It follows from the order of the log alone, whatever was set right by hand, so counting again finds the same. Only where
/// an ended session is followed is the time that session's, ``CountedSession/resumes``, and moves with it.
public struct VehicleStay: Hashable, Sendable {
    /// Who waits longer did not wait for better energy: such a stay says nothing about when a session could have begun.
    public static let waitMillisecondsMax = 7 * Int64.millisecondsPerDay

    /// How things stand.
    public struct State: Hashable, Sendable {
        /// Of the first status that says plugged in, in whatever words, and is not before ``earliest``; after a session of
        /// the stay, where that one's baseline ended.
        public fileprivate(set) var pluggedIn: Timestamp?
        /// The newest time at which it was unplugged, or reported energy of a session.
        public fileprivate(set) var earliest: Timestamp?
        /// The session of this stay that ended last, until another begins.
        public fileprivate(set) var follows: UUID?

        public init(pluggedIn: Timestamp? = nil, earliest: Timestamp? = nil, follows: UUID? = nil) {
            self.pluggedIn = pluggedIn
            self.earliest = earliest
            self.follows = follows
        }
    }

    /// The session that began last, and how things stood when it did: word that comes late still counts for it.
    public struct LastBegin: Hashable, Sendable {
        public let sessionID: UUID
        public let began: Timestamp
        public fileprivate(set) var state: State

        public init(sessionID: UUID, began: Timestamp, state: State) {
            self.sessionID = sessionID
            self.began = began
            self.state = state
        }

        /// How the session's stay began, as is known by now.
        public var begin: Begin { state.begin(at: began) }
    }

    public private(set) var now: State
    public private(set) var lastBegin: LastBegin?

    public init(_ now: State = State(), lastBegin: LastBegin? = nil) {
        self.now = now
        self.lastBegin = lastBegin
    }

    /// How a session's stay began.
    public struct Begin: Hashable, Sendable {
        /// ``CountedSession/pluggedIn``
        public let pluggedIn: Timestamp?
        /// ``CountedSession/follows``
        public let follows: UUID?

        public init(pluggedIn: Timestamp?, follows: UUID?) {
            self.pluggedIn = pluggedIn
            self.follows = follows
        }
    }

    /// - Parameter event: the vehicle's next in the log, however late it is.
    public mutating func follow(_ event: Event) {
        if isLate(event) { lastBegin?.state.follow(event) }
        now.follow(event)
    }

    /// Whether it is of the time before the session that began last.
    public func isLate(_ event: Event) -> Bool { lastBegin.map { event.timestamp.clamped < $0.began } ?? false }

    /// What comes next in this stay could have begun where the session could have ended.
    ///
    /// - Parameter last: the event that ended it, which the stay has followed.
    public mutating func end(_ session: CountedSession, by last: Event) {
        if isLate(last) { lastBegin?.state.end(session, by: last) }
        now.end(session, by: last)
    }

    /// The session that it follows was set right.
    public mutating func move(behind session: CountedSession) {
        lastBegin?.state.move(behind: session)
        now.move(behind: session)
    }

    /// - Parameter first: the session's first event in the log, which the stay has not followed yet.
    public mutating func begin(_ sessionID: UUID, with first: Event) -> Begin {
        let began = first.timestamp.clamped
        if !isLate(first) { lastBegin = LastBegin(sessionID: sessionID, began: began, state: now) }
        return now.begin(at: began)
    }

    /// - Parameter pluggedIn: when a session could have begun.
    /// - Returns: `nil` where that is not before it did, or more than ``waitMillisecondsMax`` before.
    static func believed(_ pluggedIn: Timestamp, before began: Timestamp) -> Timestamp? {
        pluggedIn < began && began.milliseconds(since: pluggedIn) <= waitMillisecondsMax ? pluggedIn : nil
    }
}

extension VehicleStay.State {
    fileprivate mutating func follow(_ event: Event) {
        let time = event.timestamp.clamped
        switch event.content {
        case .vehicleStatus(let report) where report.status == .unplugged:
            // Late word from before the last session ended: it was plugged in again by then.
            if follows != nil, let earliest, time < earliest { (pluggedIn, follows) = (earliest, nil) }
            earliest = max(earliest ?? time, time)
            if let known = pluggedIn, known <= time { (pluggedIn, follows) = (nil, nil) }
        case .vehicleStatus(let report):
            if let earliest, time < earliest { return }
            guard follows != nil else {
                pluggedIn = min(pluggedIn ?? time, time)
                return
            }
            // Not every vehicle says that it was unplugged.
            if report.status == .pluggedIn { (pluggedIn, follows) = (time, nil) }
        case .vehicleLoad:
            // One session ends where the next one of the same stay could have begun.
            earliest = max(earliest ?? time, time)
            pluggedIn = pluggedIn.map { max($0, time) }
            follows = nil
        case .hvacLoad: break
        }
    }

    fileprivate mutating func end(_ session: CountedSession, by last: Event) {
        guard pluggedIn != nil, earliest == last.timestamp.clamped, let resumes = session.resumes else { return }
        (pluggedIn, follows) = (resumes, session.key.sessionID)
    }

    fileprivate mutating func move(behind session: CountedSession) {
        guard follows == session.key.sessionID, let resumes = session.resumes else { return }
        pluggedIn = resumes
    }

    fileprivate func begin(at began: Timestamp) -> VehicleStay.Begin {
        VehicleStay.Begin(
            pluggedIn: pluggedIn.flatMap { VehicleStay.believed($0, before: began) }, follows: follows)
    }
}
