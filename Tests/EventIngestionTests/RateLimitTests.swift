import EnergyModel
import EnergyTestSupport
import EnergyWire
import Foundation
import Synchronization
import Testing

@testable import EventIngestion

struct RateLimitTests {
    private let elapsed = Box(Duration.zero)

    private func limiter(principal: RateLimit, venue: RateLimit) -> RateLimiter {
        let limits = IngestLimits(perPrincipal: principal, perVenue: venue)
        return RateLimiter(limits: limits) { [elapsed] in elapsed.value }
    }

    private func batch(_ count: Int, venue: UInt64 = 1) -> EventBatch {
        EventBatch(events: (0..<count).map { _ in EventSamples.status(venueID: EventSamples.id(venue)) })
    }

    private func wait(_ limiter: RateLimiter, _ batch: EventBatch, _ principal: String = "a") -> Int64? {
        do throws(EnergyError) {
            try limiter.take(batch, principal: principal)
            return nil
        } catch {
            #expect(error.code == .rateLimited)
            return error.retryAfterMilliseconds
        }
    }

    @Test func `a sender has a burst, then its rate, and is told when to come back`() {
        let limiter = limiter(
            principal: RateLimit(eventsPerSecond: 100, burst: 2_000),
            venue: RateLimit(eventsPerSecond: 1_000_000, burst: 1_000_000))
        for _ in 0..<2 { #expect(wait(limiter, batch(1_000)) == nil) }
        #expect(wait(limiter, batch(50)) == 501)
        #expect(wait(limiter, batch(50), "b") == nil, "another sender is not held up")
        elapsed.set(.milliseconds(501))
        #expect(wait(limiter, batch(50)) == nil)
        #expect(wait(limiter, batch(1)) != nil)
    }

    @Test func `a venue is limited whoever sends, and a refused batch takes nothing`() {
        let limiter = limiter(
            principal: RateLimit(eventsPerSecond: 1_000_000, burst: 1_000_000),
            venue: RateLimit(eventsPerSecond: 10, burst: 1_000))
        let mixed = EventBatch(events: batch(600, venue: 1).events + batch(10, venue: 2).events)
        #expect(wait(limiter, batch(500, venue: 1), "a") == nil)
        #expect(wait(limiter, mixed, "b") == 10_001)
        #expect(wait(limiter, batch(1_000, venue: 2), "b") == nil, "the refused batch took nothing of venue 2")
        #expect(wait(limiter, batch(500, venue: 1), "b") == nil)
    }

    @Test func `a refusal says which limit it is`() {
        let limiter = limiter(
            principal: RateLimit(eventsPerSecond: 100, burst: 2_000),
            venue: RateLimit(eventsPerSecond: 10, burst: 1_000))
        func message(_ batch: EventBatch) -> String? {
            do throws(EnergyError) {
                try limiter.take(batch, principal: "meter")
                return nil
            } catch { return error.message }
        }
        #expect(message(batch(1_000)) == nil)
        #expect(
            message(batch(1))
                == "the venue \(EventSamples.id(1).uuidString.lowercased()) takes 10 events a second, and its reserve is used up"
        )
        #expect(message(batch(1_000, venue: 2)) == nil)
        #expect(
            message(batch(1, venue: 3)) == "the sender meter may submit 100 events a second, and its reserve is used up"
        )
    }

    @Test func `a pause of any length fills the bucket, no more`() {
        let limiter = limiter(
            principal: RateLimit(eventsPerSecond: 100_000_000, burst: 1_000_000_000),
            venue: RateLimit(eventsPerSecond: 1, burst: 1_000))
        #expect(wait(limiter, batch(1_000)) == nil)
        elapsed.set(.seconds(Int64.max / 2))
        #expect(wait(limiter, batch(1_000)) == nil)
        #expect(wait(limiter, batch(1)) != nil)
    }

    @Test func `the ingestor refuses with a time to retry`() async throws {
        let limits = IngestLimits(
            perPrincipal: RateLimit(eventsPerSecond: 1, burst: 1_000),
            perVenue: RateLimit(eventsPerSecond: 1, burst: 1_000))
        let setup = IngestorSetup(limits: limits)
        try await setup.running { () async throws in
            _ = try await setup.submit((0..<1_000).map { _ in EventSamples.status() })
            let refusal = await setup.refusal((0..<900).map { _ in EventSamples.status() })
            #expect(refusal?.code == .rateLimited)
            #expect((refusal?.retryAfterMilliseconds ?? 0) > 0)
        }
    }
}
