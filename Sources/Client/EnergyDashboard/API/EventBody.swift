internal import EnergyModel
internal import Foundation

/// When a venue is to use less, as a program says it.
struct EventBody: JSONBody {
    enum Name: String, CodingKey, CaseIterable { case kind, start, end, reason }
    typealias CodingKeys = Name

    let kind: String
    let start, end: String
    let reason: String?

    /// - Throws: `.invalidInput` that names the member and what would be right.
    func event(for venue: Venue) throws(EnergyError) -> DemandResponseEvent {
        let kind: DemandResponseEvent.Kind = try JSONText.choice(kind, "kind")
        let (first, last) = (try JSONText.time(start, "start"), try JSONText.time(end, "end"))
        guard let interval = Interval(start: first, end: last) else {
            throw .invalidInput(RuleViolation(field: "end", rule: "must be after start", value: String(end.prefix(60))))
        }
        guard interval.milliseconds <= DemandResponseEvent.millisecondsMax else {
            throw .invalidInput(
                RuleViolation(field: "end", rule: "must be at most 7 days after start", value: String(end.prefix(60))))
        }
        return DemandResponseEvent(
            id: UUID(), kind: kind, scope: .venue(venue.id), interval: interval, reason: reason ?? "")
    }
}
