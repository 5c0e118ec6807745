/// How far a session's next event may be from its last: what is beyond is a fault of the meter, not electricity.
public enum SessionBounds {
    /// Of any load: the highest power that an event may claim. The fastest chargers for cars deliver 500 kW (CCS, 1,000 V
    /// and 500 A), and few grid connections outside industry carry more than 1 MW; 2.6 MW chargers for lorries are out
    /// of scope.
    public static let powerMilliwattsMax = Power.range.upperBound

    /// The same in a sentence.
    static var powerText: String { "\(powerMilliwattsMax / 1_000_000_000) MW" }

    /// Added to the time between events: some devices stamp events with the whole minute, and some meters count whole
    /// kilowatt-hours, so that their steps come late.
    public static let slackMilliseconds = Int64.millisecondsPerMinute

    /// A session whose last event is older than this, by the next event's time, is over: it was closed by policy. The
    /// longest of 9,802 sessions at a workplace (ACN-Data, with a begin and an end only) took 6.3 days.
    public static let silenceMilliseconds = 14 * Int64.millisecondsPerDay

    /// What a counter may rise by in so much time, mWh: ``powerMilliwattsMax`` throughout.
    ///
    /// - Parameter milliseconds: `0...` ten years.
    public static func energyMax(overMilliseconds milliseconds: Int64) -> Int64 {
        // 10^9 mW over 3.6 * 10^6 ms per hour.
        (milliseconds + slackMilliseconds) * 2_500 / 9
    }
}
