import EnergyModel
import Foundation
import Testing

@testable import EnergyDashboard

struct PlanReasonsTests {
    private static let now = Timestamp(unixMilliseconds: 1_782_864_000_000)  // 2026-07-01T02:00 in Berlin

    private func reasons(
        _ language: Language, missing: Energy = .zero, _ wait: ScheduleReason = .waitingForCleanerEnergy
    ) throws -> PlanReasons {
        func block(_ hours: ClosedRange<Int64>, _ reason: ScheduleReason) -> ScheduleBlock {
            let start = Self.now.advanced(byMilliseconds: hours.lowerBound * .millisecondsPerHour)
            let length = (hours.upperBound - hours.lowerBound) * .millisecondsPerHour
            return ScheduleBlock(
                interval: Interval(start: start, milliseconds: length), power: .zero, stageMax: 0,
                energy: reason == .cleanerEnergy ? Energy(milliwattHours: 8_000_000) : .zero, rating: 0.5,
                reason: reason)
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
                block(-2...0, .noBetterTime), block(0...1, wait), block(1...2, wait), block(2...4, .cleanerEnergy),
            ], required: missing, plannedEnergy: .zero, explanation: "Waits until 04:00")
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

    @Test func `the scheduler's sentence is said anew in another language, and stands behind it in its own`() throws {
        let german = try reasons(.german).html().description
        #expect(german.contains("<p>Wartet auf sauberere Energie. Beginnt 04:00, fertig bis 06:00.</p>"))
        let behind = try #require(german.range(of: "<details id=\"words-car\">"))
        #expect(german[behind.upperBound...].contains("<p lang=\"en\">Waits until 04:00</p>"))
        let english = try reasons(.english).html().description
        #expect(english.contains("<p>Waits until 04:00</p>") && !english.contains("words-car"))
        #expect(!english.contains("Starts 04:00, done by"))
    }

    @Test(arguments: [
        (ScheduleReason.abovePriceCeiling, "die Preisgrenze"), (.loadBalancing, "die Leistung dessen, was sonst läuft"),
        (.waitingForLowerRates, "zu wenig Zeit"),
    ])
    func `what is missing is told with what is in the way`(wait: ScheduleReason, cause: String) throws {
        let german = try reasons(.german, missing: Energy(milliwattHours: 3_000_000), wait).html().description
        #expect(german.contains("3,00 kWh sind nicht rechtzeitig zu bekommen. Im Weg: \(cause).</p>"), "\(german)")
    }
}
