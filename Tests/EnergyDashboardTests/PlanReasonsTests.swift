import EnergyModel
import Foundation
import Testing

@testable import EnergyDashboard

struct PlanReasonsTests {
    private static let now = Timestamp(unixMilliseconds: 1_782_864_000_000)  // 2026-07-01T02:00 in Berlin

    private func reasons(_ language: Language) throws -> PlanReasons {
        func block(_ hours: ClosedRange<Int64>, _ reason: ScheduleReason) -> ScheduleBlock {
            let start = Self.now.advanced(byMilliseconds: hours.lowerBound * .millisecondsPerHour)
            let length = (hours.upperBound - hours.lowerBound) * .millisecondsPerHour
            return ScheduleBlock(
                interval: Interval(start: start, milliseconds: length), power: .zero, stageMax: 0, energy: .zero,
                rating: 0.5, reason: reason)
        }
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let venue = Venue(
            id: UUID(), name: "Home", timeZone: zone, region: "GB", changed: Timestamp(unixMilliseconds: 0))
        let schedule = Schedule(
            id: UUID(), venueID: venue.id, deviceID: "car",
            goal: Goal(
                id: UUID(), venueID: venue.id, deviceID: "car", readyBy: Self.now, target: .stateOfCharge(80),
                created: Self.now),
            revision: 1, planned: Self.now, guidanceToken: nil,
            blocks: [
                block(-2...0, .away), block(0...1, .waitingForCleanerEnergy),
                block(1...2, .waitingForCleanerEnergy), block(2...4, .cleanerEnergy),
            ], required: .zero, plannedEnergy: .zero, explanation: "Waits until 04:00")
        return PlanReasons(
            schedule: schedule, context: PageContext(language: language, venues: [venue], venue: venue, now: Self.now))
    }

    @Test func `each time has its reason in the reader's language, and what is over is left out`() throws {
        #expect(
            try reasons(.german).lines == [
                "02:00–04:00: Wartet auf sauberere Energie.", "04:00–06:00: Läuft, solange die Energie sauber ist.",
            ])
        #expect(try reasons(.english).lines[0] == "02:00–04:00: Waits for cleaner energy.")
    }

    @Test(arguments: Language.allCases)
    func `the scheduler's sentence is marked as English`(language: Language) throws {
        #expect(try reasons(language).html().description.contains("<p lang=\"en\">Waits until 04:00</p>"))
    }
}
