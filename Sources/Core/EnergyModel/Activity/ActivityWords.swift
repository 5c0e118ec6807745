/// The words of one language for activities. All that ``ActivityTeller`` says comes from here: another language is another
/// of these. What is handed in is formatted already.
public protocol ActivityWords: Sendable {
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
    /// - Parameter charge: in percent.
    func ready(_ clock: String, charge: String) -> String

    // MARK: Sessions

    /// - Parameter kilowattHours: `nil` where nothing was counted yet.
    func goingOn(_ use: ActivityUse, since clock: String, kilowattHours: String?) -> String
    /// - Parameter length: of its run time, or of the session where it took nothing; `nil` of less than a minute.
    func over(_ use: ActivityUse, kilowattHours: String?, length: String?) -> String
    /// - Parameter minutes: not all of them are 0.
    func length(days: Int64, hours: Int64, minutes: Int64) -> String
    /// - Parameter isLeast: some of the energy is of unknown cleanliness.
    /// - Parameter share: in percent.
    func clean(_ share: String, isLeast: Bool) -> String
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

/// How numbers and clocks are written in such sentences.
public protocol ActivityFormats: Sendable {
    /// A number of millionths.
    func decimal(_ value: Int64, decimals: Int) -> String
    func percent(_ number: Int) -> String
    func money(_ money: Money) -> String
    func clock(hour: Int, minute: Int) -> String
}

/// The same everywhere: `1.25`, `80 %`, `1.46 USD`, `01:15`.
public struct PlainActivityFormats: ActivityFormats {
    public init() {}

    public func decimal(_ value: Int64, decimals: Int) -> String {
        let unit = (decimals..<6).reduce(UInt64(1)) { scale, _ in scale * 10 }
        let rounded = value.magnitude / unit + (value.magnitude % unit >= unit / 2 ? 1 : 0)
        let digits = String(rounded)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        let sign = value < 0 && rounded > 0 ? "-" : ""
        return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }

    public func percent(_ number: Int) -> String { "\(number) %" }
    public func money(_ money: Money) -> String { "\(decimal(money.micros, decimals: 2)) \(money.currency)" }
    public func clock(hour: Int, minute: Int) -> String { "\(two(hour)):\(two(minute))" }

    private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// What a session does.
public enum ActivityUse: Hashable, Sendable {
    case charging
    /// Energy goes to the grid.
    case givingBack
    case heatingOrCooling
}
