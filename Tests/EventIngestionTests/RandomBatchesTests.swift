import EnergyModel
import EnergyTestSupport
import EnergyWire
import Foundation
import Testing

@testable import EventIngestion

struct RandomBatchesTests {
    /// Batches of anything: the log must hold exactly what was acknowledged, and only orderly sessions.
    @Test(arguments: UInt64(0)..<40)
    func `whatever is sent, acknowledged is stored once and every session is in order`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let setup = IngestorSetup()
        var (accepted, duplicates, sent, acknowledged) = (0, 0, [Event](), Set<UUID>())
        let batches = (0..<40).map { _ in randomBatch(&sent, using: &random) }
        try await setup.running { () async in
            for batch in batches {
                do throws(EnergyError) {
                    let result = try await setup.submit(batch)
                    #expect(result.accepted + result.duplicates == batch.count)
                    accepted += result.accepted
                    duplicates += result.duplicates
                    acknowledged.formUnion(batch.map(\.id))
                } catch {
                    #expect([.invalidInput, .conflict].contains(error.code))
                    #expect(!error.violations.isEmpty)
                    #expect(error.violations.allSatisfy { ($0.index ?? -1) < batch.count })
                }
            }
        }
        let stored = try await setup.log().flatMap(\.events)
        #expect(stored.count == accepted)
        #expect(Set(stored.map(\.id)) == acknowledged)
        for (_, events) in Dictionary(grouping: stored, by: { $0.session?.id }) {
            var tracker = SessionTracker()
            for event in events {
                if case .refused(let violation) = tracker.apply(event) { Issue.record("\(violation)") }
            }
        }
    }

    private func randomBatch(_ sent: inout [Event], using random: inout SplitMix64) -> [Event] {
        let events = (0..<Int.random(in: 1...4, using: &random)).map { _ -> Event in
            if let known = sent.randomElement(using: &random), Int.random(in: 0..<4, using: &random) == 0 {
                return known
            }
            let session = EventSamples.id(UInt64.random(in: 50...55, using: &random))
            let state = [Session.State.begin, .active, .active, .end].randomElement(using: &random) ?? .begin
            let energy = state == .begin ? 0 : Int64.random(in: -1...9, using: &random)
            return EventSamples.vehicle(
                id: EventSamples.id(UInt64.random(in: 0...10_000, using: &random)), session: session, state,
                energy: energy)
        }
        sent += events
        return events
    }
}
