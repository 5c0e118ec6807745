internal import EnergyModel
internal import EnergyPlanning
internal import EnergyStore
internal import Foundation

/// A home with a device's goal and without it: what the goal costs is the difference.
///
/// Where the time was up neither need be the best, and a difference of two such plans can be anything. So each is held
/// against what the other shows: with the goal the home pays no more than for the device beside what the others do without
/// it, and without the goal no more than for what the others do with it.
struct PreviewedHome {
    private let replanner: Replanner
    private let others: [DeviceRecord]
    private let outlook: Replanner.Outlook
    /// What the others do without it.
    private let without: Replanner.VenueAnswer
    /// The least that the home is known to pay without it.
    private var least: HomePlan.Totals?

    /// Homes whose devices lack the same but for so much are compared by what they pay.
    private static let comparable = Energy(milliwattHours: 10_000)

    /// - Parameter other: one with less freedom.
    init(
        _ replanner: Replanner, _ others: [DeviceRecord], _ outlook: Replanner.Outlook, _ time: PlanningTime,
        atMost other: PreviewedHome? = nil
    ) throws(EnergyError) {
        (self.replanner, self.others, self.outlook) = (replanner, others, outlook)
        without = try replanner.answer(others, outlook, time)
        least = Self.lower(without.whole, other?.least)
    }

    /// All of the home planned with `record`, or what that does beside what the others do without it, if that is better.
    ///
    /// - Parameter isKept: a schedule of it stays as it is.
    mutating func answer(
        _ record: DeviceRecord, by replanner: Replanner, _ time: PlanningTime, isKept: Bool = false
    ) throws(EnergyError) -> Replanner.VenueAnswer {
        let with = try replanner.answer([record] + others, outlook, time.part(3 / 4), keepsFirst: isKept)
        if let whole = with.whole, isComparable(with), let alone = try? whole - own(with, record.timeZone, time) {
            least = Self.lower(least, alone)
        }
        let fixed = without.plans.compactMap(\.self)
        guard let apart = without.whole, fixed.count == others.count,
            let beside = try? replanner.answer([record], outlook, time, keepsFirst: isKept, beside: fixed),
            let first = beside.plans.first ?? nil, let pays = beside.whole,
            let idle = try? self.pays(fixed, record.timeZone, time)
        else { return with }
        let whole = apart + (pays - idle)
        let missing = (with.plans.first ?? nil)?.missing ?? .zero
        let isLess = with.whole.map { whole.objective < $0.objective } ?? true
        guard first.missing <= missing, isLess || !isComparable(with) else { return with }
        return Replanner.VenueAnswer(plans: [first] + without.plans, whole: whole)
    }

    /// What the home pays for the first of an answer, and what the others lack for it: that has no price.
    func outcome(_ answer: Replanner.VenueAnswer) throws(EnergyError) -> Replanner.Outcome {
        guard let zone = outlook.zone else { throw Replanner.unplanned }
        var answer = answer
        let lacking = lacking(answer)
        if lacking > Self.comparable {
            let text = LocalTimeText(timeZone: zone, now: outlook.now)
            answer.plans[0]?.explanation += " Others lack \(text.energy(lacking)) for it."
        }
        // What others do not get has no price: the home pays less, and is not better off.
        let difference = isComparable(answer) ? answer.whole.flatMap { whole in least.map { whole - $0 } } : nil
        return try replanner.outcome(answer, difference, outlook, zone)
    }

    private func lacking(_ answer: Replanner.VenueAnswer) -> Energy {
        answer.missingBesideFirst - without.plans.reduce(.zero) { $0 + ($1?.missing ?? .zero) }
    }

    private func isComparable(_ answer: Replanner.VenueAnswer) -> Bool {
        abs(lacking(answer).milliwattHours) <= Self.comparable.milliwattHours
    }

    /// What the first of an answer is to a home in which the others do the same with it and without.
    private func own(
        _ answer: Replanner.VenueAnswer, _ zone: TimeZone, _ time: PlanningTime
    ) throws(EnergyError) -> HomePlan.Totals {
        let plans = answer.plans.compactMap(\.self)
        guard plans.count == answer.plans.count else { throw Replanner.unplanned }
        return try pays(plans, zone, time) - pays(Array(plans.dropFirst()), zone, time)
    }

    /// What a home pays that does as `plans` say.
    private func pays(
        _ plans: [DevicePlan], _ zone: TimeZone, _ time: PlanningTime
    ) throws(EnergyError) -> HomePlan.Totals {
        let planner = VenuePlanner(
            planner: replanner.planner, settings: replanner.settings, time: time,
            horizon: outlook.end.map { ($0, zone) }, others: plans)
        return try planner.plan([], from: outlook.now, guidance: outlook.guidance[.shift]).whole
    }

    private static func lower(_ a: HomePlan.Totals?, _ b: HomePlan.Totals?) -> HomePlan.Totals? {
        guard let a, let b else { return a ?? b }
        return a.objective <= b.objective ? a : b
    }
}
