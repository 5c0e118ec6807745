/// The words of one language for activities. All that ``ActivityTeller`` says comes from here: another language is another
/// of these. What is handed in is formatted already.
public protocol ActivityWords: Sendable {
    /// Between whole and fraction.
    var decimalMark: String { get }
    /// Monday first.
    var weekdays: [String] { get }
    /// January first.
    var months: [String] { get }

    // MARK: Statuses

    var pluggedIn: String { get }
    var unplugged: String { get }
    func charging(_ reason: ActiveReason) -> String
    func waiting(_ reason: IdleReason) -> String
    /// Whether a time to start, or to be ready, belongs into the sentence.
    func starts(_ clock: String) -> String
    /// Of a vehicle that was to charge from then on, and does not.
    func overdue(_ clock: String) -> String
    func ready(_ clock: String) -> String
    func ready(_ clock: String, percent: Int) -> String

    // MARK: Sessions

    /// - Parameter kilowattHours: `nil` where nothing was counted yet.
    func goingOn(_ use: ActivityUse, since clock: String, kilowattHours: String?) -> String
    /// - Parameter length: of its run time, or of the session where it took nothing; `nil` of less than a minute.
    func over(_ use: ActivityUse, kilowattHours: String?, length: String?) -> String
    /// - Parameter minutes: not all of them are 0.
    func length(days: Int64, hours: Int64, minutes: Int64) -> String
    /// - Parameter isLeast: some of the energy is of unknown cleanliness.
    func clean(percent: Int, isLeast: Bool) -> String
    /// What was paid, also for giving back.
    func cost(_ amount: String, _ use: ActivityUse) -> String
    /// What was paid to whom gave it, or took it at a price below 0.
    func earned(_ amount: String) -> String
    func saved(_ amount: String) -> String
    /// The other way round: more than what it would have cost at once.
    func costMore(_ amount: String) -> String
    func carbonSaved(kilograms: String) -> String
    var repaired: String { get }
}

/// What a session does.
public enum ActivityUse: Hashable, Sendable {
    case charging
    /// Energy goes to the grid.
    case givingBack
    case heatingOrCooling
}
