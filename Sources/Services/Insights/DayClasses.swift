internal import EnergyModel
internal import Foundation

/// The classes that a page of the log needs, fetched by venue and UTC day when first needed.
struct DayClasses {
    private struct Key: Hashable {
        let venueID: UUID
        let dayStart: Timestamp
    }

    let signals: any SignalSource
    private var days: [Key: ClassTimeline] = [:]

    init(signals: any SignalSource) { self.signals = signals }

    /// The classes of all days that the segment touches.
    mutating func timeline(for segment: SessionSegment) async throws(EnergyError) -> ClassTimeline {
        var dayStart = segment.start.floored(toMilliseconds: .millisecondsPerDay)
        var timeline = try await day(segment.series.venueID, dayStart)
        dayStart = dayStart.advanced(byMilliseconds: .millisecondsPerDay)
        while dayStart < segment.end {
            timeline.append(try await day(segment.series.venueID, dayStart))
            dayStart = dayStart.advanced(byMilliseconds: .millisecondsPerDay)
        }
        return timeline
    }

    private mutating func day(_ venueID: UUID, _ start: Timestamp) async throws(EnergyError) -> ClassTimeline {
        let key = Key(venueID: venueID, dayStart: start)
        if let known = days[key] { return known }
        let timeline = ClassTimeline(
            try await history(venueID, Interval(start: start, milliseconds: .millisecondsPerDay)))
        days[key] = timeline
        return timeline
    }

    /// Where the answer is that there is none, now and later, the class is unknown. Everything else is worth waiting for.
    private func history(_ venueID: UUID, _ day: Interval) async throws(EnergyError) -> [SignalInterval] {
        do throws(EnergyError) { return try await signals.history(venueID: venueID, interval: day) } catch {
            switch error.code {
            case .notFound, .invalidInput, .outOfRange: return []
            default: throw error
            }
        }
    }
}
