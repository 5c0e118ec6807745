import EnergyModel
import EnergyStore
import EnergyTransport
import EnergyWire
import Foundation
import GuidancePublishing
import Logging
import SodiumAuthentication

/// The real publisher with one venue in the region, without a rate plan.
struct DailyGuidance {
    private let publisher: GuidancePublisher
    private let clock: SetClock
    private let venue: UUID
    /// Of what was issued last, interval by interval.
    private(set) var isInOrderOfForecast = true

    init(_ grid: RecordedGrid, _ options: Options, start: Timestamp) async throws {
        let source = MemorySource(
            name: grid.name, series: grid.series, lagMilliseconds: options.lagHours * .millisecondsPerHour,
            historyMilliseconds: options.historyDays.map { $0 * .millisecondsPerDay })
        clock = SetClock(start)
        let id = UUID()
        venue = id
        publisher = GuidancePublisher(
            store: InMemoryGuidanceStore(),
            configuration: GuidanceConfiguration(
                venues: [VenueDraft(id: id, name: "Home", timeZone: grid.timeZone, region: grid.name)],
                providers: [grid.name: [source]],
                dataAgeMaxMilliseconds: options.lagHours > 0 ? 60 * .millisecondsPerDay : 7 * .millisecondsPerDay),
            publisher: NobodyListens(),
            authentication: SodiumAuthenticator.init, wallClock: clock,
            logger: Logger(label: "bench", factory: { _ in SwiftLogNoOpLogHandler() }))
        try await publisher.start()
    }

    /// The next 24 hours, hour by hour.
    mutating func issue(at now: Timestamp) async throws -> [GuidanceValue] {
        clock.set(now)
        await publisher.refresh()
        let guidance = try await publisher.guidance(
            GuidanceRequest(venueID: venue, action: .shift), principal: "bench")
        guard guidance.issued == now, guidance.interval == Interval(start: now, milliseconds: .millisecondsPerDay)
        else {
            throw Failure("no guidance for the whole day from \(now), but \(guidance.interval)")
        }
        isInOrderOfForecast = Self.isInOrder(guidance.values)
        return stride(from: 0, to: guidance.values.count, by: guidance.values.count / 24).map { first in
            let hour = guidance.values[first..<first + guidance.values.count / 24]
            let count = Double(hour.count)
            return GuidanceValue(
                interval: Interval(start: hour[first].interval.start, milliseconds: .millisecondsPerHour),
                rating: hour.reduce(0) { $0 + $1.rating } / count,
                carbonIntensity: hour.reduce(0) { $0 + ($1.carbonIntensity ?? .nan) } / count)
        }
    }

    private static func isInOrder(_ values: [GuidanceValue]) -> Bool {
        values.indices.allSatisfy { left in
            values.indices.allSatisfy { right in
                guard let a = values[left].carbonIntensity, let b = values[right].carbonIntensity else { return false }
                return a >= b || values[left].rating <= values[right].rating
            }
        }
    }
}

/// Takes publications and forgets them.
final class NobodyListens: Publisher {
    func publish(_ topic: String, _ body: [UInt8]) throws(CallFailure) {}
}
