import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation

/// A device with an outbox: it sends each batch until it is acknowledged, and only then the next.
struct SimulatedHome: Sendable {
    let client: any ClientUnderTest
    let network: SimulatedTransport
    let batches: [EventBatch]

    init(_ client: any ClientUnderTest, _ network: SimulatedTransport, number: UInt64, seed: UInt64) {
        self.client = client
        self.network = network
        var random = SplitMix64(seed: seed &* 31 &+ number)
        batches = Self.batches(number: number, using: &random)
    }

    /// Two cars of one venue, a few sessions each, cut into batches anywhere, some batches of both.
    private static func batches(number: UInt64, using random: inout SplitMix64) -> [EventBatch] {
        let venueID = EventSamples.id(number % 3 + 1)
        var queues = (0..<2).map { car in
            let device = Device(id: "car-\(number)-\(car)", name: "Car", kind: .electricVehicle)
            return (0..<2).flatMap { session in
                Self.session(device, venueID, hoursAgo: 20 - Int64(session) * 5, using: &random)
            }
        }
        var batches: [EventBatch] = []
        while queues.contains(where: { !$0.isEmpty }) {
            var events: [Event] = []
            for car in queues.indices where Bool.random(using: &random) || queues[1 - car].isEmpty {
                let count = min(Int.random(in: 1...6, using: &random), queues[car].count)
                events += queues[car].prefix(count)
                queues[car].removeFirst(count)
            }
            if !events.isEmpty { batches.append(EventBatch(events: events)) }
        }
        return batches
    }

    private static func session(
        _ device: Device, _ venueID: UUID, hoursAgo: Int64, using random: inout SplitMix64
    ) -> [Event] {
        let (session, steps) = (random.uuid(), Int.random(in: 0...8, using: &random))
        var (time, energy) = (EventSamples.now.advanced(byMilliseconds: -hoursAgo * .millisecondsPerHour), Int64(0))
        return (0...(steps + 1)).map { step in
            defer {
                time = time.advanced(byMilliseconds: Int64.random(in: 0...1_800_000, using: &random))
                energy += Int64.random(in: 0...3_000_000, using: &random)
            }
            return EventSamples.vehicle(
                id: random.uuid(), at: time, venueID: venueID, device: device, session: session,
                step == 0 ? .begin : step > steps ? .end : .active, token: EventSamples.id(venueID.number + 100),
                energy: step == 0 ? 0 : energy)
        }
    }

    /// - Returns: when everything was acknowledged.
    /// - Throws: a refusal, of which there is no cause here.
    func run(seed: UInt64) async throws(EnergyError) {
        var random = SplitMix64(seed: seed)
        for batch in batches {
            while true {
                do throws(EnergyError) {
                    let result = try await client.call(Methods.submitEvents, batch, timeout: .seconds(1))
                    guard result.accepted + result.duplicates == batch.events.count else {
                        throw EnergyError(.conflict, "\(batch.events.count) events were sent, \(result) came back")
                    }
                    // Some say it again all the same.
                    if Int.random(in: 0..<8, using: &random) > 0 { break }
                } catch {
                    guard error.code == .unavailable || error.code == .rateLimited else { throw error }
                    await network.sleep(.milliseconds(Int64.random(in: 10...200, using: &random)))
                }
            }
        }
    }
}

extension SplitMix64 {
    mutating func uuid() -> UUID {
        let halves = (next(), next())
        return withUnsafeBytes(of: halves) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }
}

extension UUID {
    /// Of ``EventSamples/id(_:)``.
    fileprivate var number: UInt64 {
        withUnsafeBytes(of: uuid) { UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)) }
    }
}
