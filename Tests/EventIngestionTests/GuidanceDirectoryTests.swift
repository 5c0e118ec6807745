import EnergyModel
import EnergyTestSupport
import EnergyTransport
import Foundation
import SQLiteStore
import Testing

@testable import EventIngestion

struct GuidanceDirectoryTests {
    private let away = CallFailure(.unavailable, "away", retryAfter: .seconds(7))

    @Test func `a token is asked for once, then known`() async throws {
        let client = ScriptedGuidanceClient()
        let directory = GuidanceDirectory(client: client)
        for _ in 0..<3 { #expect(try await directory.resolve(EventSamples.token) == .sample()) }
        #expect(client.calls == 1)
        for _ in 0..<3 { #expect(try await directory.isVenue(EventSamples.venueID)) }
        #expect(client.calls == 2)
    }

    @Test func `what another ingestor has erased is forgotten after a while`() async throws {
        let (client, clock) = (ScriptedGuidanceClient(), ManualClock())
        let directory = GuidanceDirectory(client: client, memory: .seconds(60))
        let running = Task { await directory.run(clock: clock) }
        await clock.waitForSleepers()
        #expect(try await directory.resolve(EventSamples.token) == .sample())
        #expect(try await directory.isVenue(EventSamples.venueID))
        clock.advance(by: .seconds(60))
        // It has forgotten before it sleeps again.
        await clock.waitForSleepers()
        #expect(try await directory.resolve(EventSamples.token) == .sample())
        #expect(try await directory.isVenue(EventSamples.venueID))
        #expect(client.calls == 4)
        running.cancel()
        await running.value
    }

    @Test func `what does not exist is asked for each time, for it may exist later`() async throws {
        let client = ScriptedGuidanceClient(tokens: [], venues: [])
        let directory = GuidanceDirectory(client: client)
        #expect(try await directory.resolve(EventSamples.token) == nil)
        #expect(try await directory.isVenue(EventSamples.venueID) == false)
        client.issue(.sample())
        #expect(try await directory.resolve(EventSamples.token) == .sample())
        #expect(client.calls == 3)
    }

    @Test func `while the publisher is away known tokens are good and unknown ones wait`() async throws {
        let client = ScriptedGuidanceClient(tokens: [.sample(), .sample(EventSamples.id(102))])
        let directory = GuidanceDirectory(client: client)
        _ = try await directory.resolve(EventSamples.token)
        client.fail(with: away)
        #expect(try await directory.resolve(EventSamples.token) == .sample())
        let refusal = await #expect(throws: EnergyError.self) { try await directory.resolve(EventSamples.id(102)) }
        #expect(refusal?.code == .unavailable)
        #expect(refusal?.retryAfterMilliseconds == 7_000)
        await #expect(throws: EnergyError.self) { try await directory.isVenue(EventSamples.venueID) }
        client.fail(with: nil)
        #expect(try await directory.resolve(EventSamples.id(102)) != nil, "it heals by itself")
    }

    @Test(arguments: [StatusCode.permissionDenied, .resourceExhausted, .internalError, .deadlineExceeded])
    func `a publisher that cannot answer is no proof against a token`(code: StatusCode) async throws {
        let client = ScriptedGuidanceClient()
        client.fail(with: CallFailure(code, "no"))
        let refusal = await #expect(throws: EnergyError.self) {
            try await GuidanceDirectory(client: client).resolve(EventSamples.token)
        }
        #expect(refusal?.code == .unavailable)
        #expect(refusal?.retryAfterMilliseconds == 1_000)
    }

    @Test func `a sender that asked for guidance later is found by asking again`() async throws {
        let client = ScriptedGuidanceClient()
        let directory = GuidanceDirectory(client: client)
        _ = try await directory.resolve(EventSamples.token)
        client.issue(.sample(principals: ["local", "phone"]))
        #expect(try await directory.resolve(EventSamples.token)?.principals == ["local"])
        #expect(try await directory.resolveAgain(EventSamples.token)?.principals == ["local", "phone"])
        #expect(try await directory.resolve(EventSamples.token)?.principals == ["local", "phone"])
    }

    @Test func `one question serves all who ask the same`() async throws {
        let client = ScriptedGuidanceClient()
        client.hold()
        let directory = GuidanceDirectory(client: client)
        let questions = (0..<20).map { _ in Task { try await directory.resolve(EventSamples.token) } }
        while client.calls == 0 { await Task.yield() }
        client.letGo()
        for question in questions { #expect(try await question.value == .sample()) }
        // Late starters find the answer in the cache: however they are scheduled, nobody asks a second time.
        #expect(client.calls == 1)
    }

    @Test func `known tokens outlive a restart`() async throws {
        let folder = try TemporaryFolder()
        let client = ScriptedGuidanceClient()
        let first = try SQLiteEventLogStore(path: folder.path("log.sqlite"))
        let resolved = try await GuidanceDirectory(client: client, store: first).resolve(EventSamples.token)
        try first.close()

        client.fail(with: away)
        let second = try SQLiteEventLogStore(path: folder.path("log.sqlite"))
        let directory = GuidanceDirectory(client: client, store: second)
        #expect(try await directory.resolve(EventSamples.token) == resolved)
        await #expect(throws: EnergyError.self) { try await directory.resolve(EventSamples.id(102)) }
        try second.close()
    }

    @Test func `known venues outlive a restart, and what does not exist is forgotten`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("log.sqlite")
        let client = ScriptedGuidanceClient(venues: [EventSamples.venueID, EventSamples.id(11)])
        func answers(_ id: UUID) async throws -> Bool? {
            let store = try SQLiteEventLogStore(path: path)
            let answer = try? await GuidanceDirectory(client: client, store: store).isVenue(id)
            try store.close()
            return answer
        }
        #expect(try await answers(EventSamples.venueID) == true)
        client.fail(with: away)
        #expect(try await answers(EventSamples.venueID) == true)
        #expect(try await answers(EventSamples.id(11)) == nil, "nobody has asked for it")
        client.fail(with: nil)
        client.remove(venue: EventSamples.venueID)
        #expect(try await answers(EventSamples.venueID) == false)
        client.fail(with: away)
        #expect(try await answers(EventSamples.venueID) == nil)
    }

    @Test func `a venue whose sessions are in the log is known`() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteEventLogStore(path: folder.path("log.sqlite"))
        let setup = IngestorSetup(store: store)
        _ = try await setup.running { try await setup.submit(EventSamples.charge()) }
        let client = ScriptedGuidanceClient()
        client.fail(with: away)
        let directory = GuidanceDirectory(client: client, store: store)
        for _ in 0..<3 { #expect(try await directory.isVenue(EventSamples.venueID)) }
        #expect(client.calls == 1)
        await #expect(throws: EnergyError.self) { try await directory.isVenue(EventSamples.id(11)) }
        try store.close()
    }

    @Test(arguments: UInt64(0)..<20)
    func `the cache is bounded and keeps what was used last`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var cache = BoundedCache<Int, Int>(countMax: 20)
        var recent: [Int] = []
        for _ in 0..<1_000 {
            let key = Int.random(in: 0..<60, using: &random)
            if let value = cache.value(key) { #expect(value == key) } else { cache.set(key, key) }
            recent.removeAll { $0 == key }
            recent.append(key)
            if recent.count > 10 { recent.removeFirst() }
            #expect(cache.count <= 20)
            for key in recent.reversed() { #expect(cache.peek(key) == key) }
        }
    }
}
