import EnergyModel
import Foundation
import Testing

@Suite struct ForecastSkillTests {
    private static let start = Timestamp(unixMilliseconds: 1_625_097_600_000)

    private static func points(day: Int, _ value: (Int) -> Double) -> [SignalPoint] {
        (0..<24).map { hour in
            SignalPoint(
                interval: Interval(
                    start: start.advanced(byMilliseconds: Int64(day * 24 + hour) * .millisecondsPerHour),
                    milliseconds: .millisecondsPerHour),
                value: value(hour), isEstimated: false)
        }
    }

    /// Ten days that are alike, and an issue for each.
    private static func skill(
        days: Int = 10, at now: Int = 10, expected: (Int) -> Double, actual: (Int) -> Double
    ) throws -> ForecastSkill? {
        let issues = try (0..<days).map { try #require(ForecastIssue(points(day: $0, expected))) }
        let measured = SignalSeries((0..<days).flatMap { points(day: $0, actual) })
        return ForecastSkill(
            issues, measured: measured, now: start.advanced(byMilliseconds: Int64(now) * .millisecondsPerDay))
    }

    @Test func `what came true has all the skill`() throws {
        let skill = try #require(try Self.skill(expected: { Double($0) + 5 }, actual: { Double($0) + 5 }))
        #expect(skill.issues == 10 && skill.relativeError == 0 && skill.capturedShare == 1)
        #expect(abs(skill.rankCorrelation - 1) < 1e-12)
    }

    @Test func `the opposite does harm`() throws {
        let skill = try #require(try Self.skill(expected: { 23 - Double($0) }, actual: { Double($0) }))
        #expect(abs(skill.rankCorrelation + 1) < 1e-12 && skill.capturedShare == -1)
        // Mean of |23 - 2h| is 12, of h is 11.5.
        #expect(abs(skill.relativeError - 12 / 11.5) < 1e-12 && abs(skill.absoluteError - 12) < 1e-12)
    }

    @Test func `a flat day has nothing to save`() throws {
        let skill = try #require(try Self.skill(expected: { Double($0) }, actual: { _ in 0 }))
        #expect(skill.rankCorrelation == 0 && skill.capturedShare == 0 && skill.relativeError == 0)
    }

    @Test func `fewer than seven issues, or only old ones, say nothing`() throws {
        #expect(try Self.skill(days: 6, expected: { Double($0) }, actual: { Double($0) }) == nil)
        #expect(try Self.skill(days: 7, expected: { Double($0) }, actual: { Double($0) }) != nil)
        #expect(try Self.skill(at: 60, expected: { Double($0) }, actual: { Double($0) }) == nil)
    }

    @Test func `an issue is of equal steps without gaps`() throws {
        let day = Self.points(day: 0) { Double($0) }
        #expect(ForecastIssue([]) == nil)
        #expect(ForecastIssue(Array(day[0..<3] + day[4..<6])) == nil)
        #expect(try #require(ForecastIssue(day)).interval.milliseconds == .millisecondsPerDay)
    }
}
