internal import Foundation

extension RatePlan {
    /// Whether the price of a kilowatt-hour depends on how much was drawn since the billing day.
    public var isTiered: Bool { zones.contains { !$0.tiers.isEmpty } }

    /// What is expected to have been drawn in the billing month before the local day of `instant`; `nil` when unknown.
    public func expectedEnergy(at instant: Timestamp) -> Energy? {
        expectedEnergy(beforeDay: LocalTime(instant, offsetMilliseconds: timeZone.offsetMilliseconds(at: instant)).day)
    }

    /// The same on every day of a month, whatever the weekday: the tier changes at most once a day, and history, which
    /// reckons likewise, agrees with what guidance said.
    ///
    /// - Parameter number: of a local day, since 1970.
    func expectedEnergy(beforeDay number: Int64) -> Energy? {
        guard let monthlyEnergy else { return nil }
        let (year, month, day) = CivilDate(dayNumber: number).components
        let first = Int64(billingDay)
        // Months are counted from 0 here, so that the year follows by division.
        let index = year * 12 + month - 1 - (day < first ? 1 : 0)
        func start(_ index: Int64) -> Int64 {
            CivilDate(year: index / 12, month: index % 12 + 1, day: first).dayNumber
        }
        let (begin, end) = (start(index), start(index + 1))
        // Within ``Energy/range`` it does not overflow.
        let share = monthlyEnergy.milliwattHours.multipliedReportingOverflow(by: number - begin)
        return share.overflow ? monthlyEnergy : Energy(milliwattHours: share.partialValue / max(1, end - begin))
    }
}
