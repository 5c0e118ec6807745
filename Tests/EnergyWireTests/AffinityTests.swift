import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

@testable import EnergyWire

/// What goes to the same one of several replicas.
@Suite struct AffinityTests {
    private static let start = UUID()

    /// Of venues that differ in their last byte only.
    private func venue(_ last: UInt8) -> UUID {
        var bytes = Self.start.uuid
        bytes.15 = last
        return UUID(uuid: bytes)
    }

    @Test func `a question goes with its venue`() {
        func affinity(_ last: UInt8) -> [UInt8] {
            Methods.getGuidance.access.affinity(of: GuidanceRequest(venueID: venue(last), action: .shift))
        }
        #expect(affinity(0x21) == withUnsafeBytes(of: venue(0x21).uuid) { Array($0) })
        #expect(Methods.logHeads.access.affinity(of: Empty()).isEmpty)
    }

    @Test func `events go with the partition of their first venue`() {
        func affinity(_ lasts: UInt8...) -> [UInt8] {
            let sample = EventSamples.vehicle(.begin)
            let events = lasts.map {
                Event(
                    id: UUID(), timestamp: sample.timestamp, venueID: venue($0), device: sample.device,
                    content: sample.content)
            }
            return Methods.submitEvents.access.affinity(of: EventBatch(events: events))
        }
        #expect(affinity(0x21) == [1])
        #expect(affinity(0xf1, 0x22) == [1])
        #expect(affinity(0x2f) == [15])
        #expect(affinity().isEmpty)
    }
}
