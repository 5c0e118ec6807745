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
        guard let kind = DemandResponseEvent.Kind(rawValue: kind) else {
            let all = DemandResponseEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidInput(
                RuleViolation(field: "kind", rule: "must be one of \(all)", value: String(kind.prefix(60))))
        }
        let (first, last) = (try JSONTime.read(start, "start"), try JSONTime.read(end, "end"))
        guard let interval = Interval(start: first, end: last) else {
            throw .invalidInput(RuleViolation(field: "end", rule: "must be after start", value: String(end.prefix(60))))
        }
        return DemandResponseEvent(
            id: UUID(), kind: kind, scope: .venue(venue.id), interval: interval, reason: reason ?? "")
    }
}
