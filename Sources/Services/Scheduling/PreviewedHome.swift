internal import EnergyModel
internal import EnergyPlanning
internal import EnergyStore
internal import Foundation

/// A home with a device's goal and without it: what the goal costs is the difference.
///
/// Where the time was up neither need be the best, and a difference of two such plans can be anything. So each is held
/// against what the other shows: without the goal the home pays no more than for what the others do with it, and with it no
/// more than for the device beside what the others do without it.
struct PreviewedHome {
    private let replanner: Replanner
    private let others: [DeviceRecord]
    private let outlook: Replanner.Outlook
    private let zone: TimeZone
    private let time: PlanningTime
    /// The best that is known of what the others do without it.
    private var without: Replanner.VenueAnswer

    /// What the device does, and what the others do with it.
    struct Course {
        let record: DeviceRecord
        /// Its schedule stays as it is.
        let isKept: Bool
        let answer: Replanner.VenueAnswer
    }

    /// Homes whose devices lack the same but for so much are compared by what they pay.
    private static let comparable = Energy(milliwattHours: 10_000)

    /// - Parameters:
    ///   - time: of all plans but those of the others alone, which have `part` of it.
    ///   - other: one with less freedom.
    init(
        _ replanner: Replanner, _ others: [DeviceRecord], _ outlook: Replanner.Outlook, _ time: PlanningTime,
        part: Double, atMost other: PreviewedHome? = nil
    ) throws(EnergyError) {
        guard let zone = outlook.zone else { throw Replanner.unplanned }
        (self.replanner, self.others, self.outlook, self.zone, self.time) = (replanner, others, outlook, zone, time)
        without = try replanner.answer(others, outlook, time.part(part))
        if let other { note(other.without) }
    }

    /// All of the home planned with a device.
    mutating func course(
        of record: DeviceRecord, by replanner: Replanner, part: Double, isKept: Bool = false
    ) throws(EnergyError) -> Course {
        let answer = try replanner.answer([record] + others, outlook, time.part(part), keepsFirst: isKept)
        if let whole = answer.whole, let own = try? own(answer) {
            note(Replanner.VenueAnswer(plans: Array(answer.plans.dropFirst()), whole: whole - own))
        }
        return Course(record: record, isKept: isKept, answer: answer)
    }

    /// What the home pays for a course, and what the others lack for it: that has no price.
    func outcome(_ course: Course) throws(EnergyError) -> Replanner.Outcome {
        var answer = better(course)
        let lacking = lacking(answer)
        if lacking > Self.comparable {
            let text = LocalTimeText(timeZone: zone, now: outlook.now)
            answer.plans[0]?.explanation += " Others lack \(text.energy(lacking)) for it."
        }
        // What others do not get has no price: the home pays less, and is not better off.
        let difference = isComparable(answer) ? answer.whole.flatMap { whole in without.whole.map { whole - $0 } } : nil
        return try replanner.outcome(answer, difference, outlook, zone)
    }

    /// A course as it is, or the device beside what the others do without it.
    private func better(_ course: Course) -> Replanner.VenueAnswer {
        let (with, fixed) = (course.answer, without.plans.compactMap(\.self))
        guard let apart = without.whole, fixed.count == others.count,
            let beside = try? replanner.answer(
                [course.record], outlook, time, keepsFirst: course.isKept, beside: fixed),
            let first = beside.plans.first ?? nil, let whole = beside.whole, let idle = try? pays(fixed)
        else { return with }
        let pays = apart + (whole - idle)
        let missing = (with.plans.first ?? nil)?.missing ?? .zero
        let isLess = with.whole.map { pays.objective < $0.objective } ?? true
        guard first.missing <= missing, isLess || !isComparable(with) else { return with }
        return Replanner.VenueAnswer(plans: [first] + without.plans, whole: pays)
    }

    /// Remembers what the others may do without it, if that is better than what was known.
    private mutating func note(_ answer: Replanner.VenueAnswer) {
        guard let pays = answer.whole, Self.missing(answer.plans) <= Self.missing(without.plans) + Self.comparable
        else {
            return
        }
        if without.whole.map({ pays.objective < $0.objective }) ?? true { without = answer }
    }

    private func lacking(_ answer: Replanner.VenueAnswer) -> Energy {
        Self.missing(answer.plans.dropFirst()) - Self.missing(without.plans)
    }

    private static func missing(_ plans: some Sequence<DevicePlan?>) -> Energy {
        plans.reduce(.zero) { $0 + ($1?.missing ?? .zero) }
    }

    private func isComparable(_ answer: Replanner.VenueAnswer) -> Bool {
        abs(lacking(answer).milliwattHours) <= Self.comparable.milliwattHours
    }

    /// What the first of an answer is to a home in which the others do the same with it and without.
    private func own(_ answer: Replanner.VenueAnswer) throws(EnergyError) -> HomePlan.Totals {
        let plans = answer.plans.compactMap(\.self)
        guard plans.count == answer.plans.count else { throw Replanner.unplanned }
        return try pays(plans) - pays(Array(plans.dropFirst()))
    }

    /// What a home pays that does as `plans` say; more than it may give, where a battery gives what somebody took who is left
    /// out.
    private func pays(_ plans: [DevicePlan]) throws(EnergyError) -> HomePlan.Totals {
        var planner = VenuePlanner(
            planner: replanner.planner, settings: replanner.settings, time: time,
            horizon: outlook.end.map { ($0, zone) }, others: plans)
        let guidance = outlook.guidance[.shift]
        if let answer = try? planner.plan([], from: outlook.now, guidance: guidance) { return answer.whole }
        planner.settings.limits = PlanLimits(demandCharge: replanner.settings.limits.demandCharge)
        return try planner.plan([], from: outlook.now, guidance: guidance).whole
    }
}
