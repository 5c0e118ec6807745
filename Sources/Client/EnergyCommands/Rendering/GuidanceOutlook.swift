internal import EnergyModel
internal import Foundation

/// What a guidance says of now, and when that changes.
struct GuidanceOutlook {
    private let guidance: Guidance

    init(_ guidance: Guidance) { self.guidance = guidance }

    /// `Now Good (0.21) until 09:00, in 1 h 40 min; then Fair.`
    func sentence(at now: Timestamp, in zone: TimeZone) -> String {
        guard let index = guidance.values.firstIndex(where: { $0.interval.contains(now) }) else {
            let old = guidance.interval.end <= now
            return old ? "This guidance is out of date: it says nothing about now." : "It says nothing about now."
        }
        let current = guidance.values[index]
        let verdict = Verdict(rating: current.rating)
        let start = "Now \(verdict.rawValue) (\(Quantities.rating(current.rating)))"
        guard let next = guidance.values[index...].first(where: { Verdict(rating: $0.rating) != verdict }) else {
            return "\(start), and so to the end."
        }
        let change = next.interval.start
        let (today, local) = (VenueTime(now, in: zone).date, VenueTime(change, in: zone))
        let clock = local.date == today ? local.clock : "\(local.date.short) \(local.clock)"
        let wait = Quantities.length(milliseconds: change.milliseconds(since: now))
        return "\(start) until \(clock), in \(wait); then \(Verdict(rating: next.rating).rawValue)."
    }
}
