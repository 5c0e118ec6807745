extension Granularity {
    /// What one question may be about: five years with their leap days, and ``windowDaysMax`` more.
    public static let rangeDaysMax: Int64 = 5 * 366

    /// The longest window that an answer is widened to.
    public var windowDaysMax: Int64 {
        switch self {
        case .quarterHourly: 2
        case .hourly: 7
        case .daily: 31
        case .weekly: 189
        case .monthly, .yearly: 366
        }
    }
}
