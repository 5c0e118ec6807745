import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import Insights
import Testing

/// Where baselines begin follows from the times of events, never from the order in which they arrive.
struct PlugInOrderTests {
    let plugIns = PlugInTests()

    /// Two nights: plugged in at minute 0 and 1440; charges in minutes, and then what arrives when.
    enum Arrival: CaseIterable {
        case asItHappened, statusesLast, statusesFirst, laterNightFirst, plugAndUnplugTogether
    }

    @Test(arguments: InsightStoreKind.allCases, Arrival.allCases)
    func `nights with pauses are measured from their plug-ins, whatever is told when`(
        kind: InsightStoreKind, arrival: Arrival
    ) async throws {
        var log = SampleLog()
        func status(_ at: Int64, _ status: VehicleStatus.Status) -> Event { plugIns.status(log, at, status) }
        let firstCharges = [plugIns.charge(log, 490, 520), plugIns.charge(log, 600, 660)]
        let secondCharge = plugIns.charge(log, 1_900, 1_960)
        let first = [[status(0, .pluggedIn)]] + firstCharges + [[status(800, .unplugged)]]
        let second = [[status(1_440, .pluggedIn)], secondCharge, [status(2_200, .unplugged)]]
        let records: [[Event]] =
            switch arrival {
            case .asItHappened: first + second
            case .statusesLast: firstCharges + [secondCharge, first[0], first[3], second[0], second[2]]
            case .statusesFirst: [first[0] + first[3] + second[0] + second[2]] + firstCharges + [secondCharge]
            case .laterNightFirst: second + first
            case .plugAndUnplugTogether: [first[0] + first[3]] + firstCharges + [second[0] + second[2], secondCharge]
            }
        for record in records { log.append(record) }
        try await withStore(kind) { store in
            let projector = try await plugIns.project(log, into: store)
            let expected = [(Int64(0), Int64(30)), (30, 90), (1_440, 1_500)].map { plugIns.interval($0, $1) }
            #expect(try await plugIns.sessions(store, log).map(\.baseline?.interval) == expected)
            #expect(try await plugIns.isRebuiltAlike(projector, log))
        }
    }

    @Test(arguments: InsightStoreKind.allCases, UInt64(0)..<8)
    func `the same events in any order have the same baselines`(kind: InsightStoreKind, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let nights = nights(using: &random)
        let expected = try await baselines(of: nights.map { [$0] }, InMemoryInsightStore())
        #expect(expected.contains { $0 != nil })
        // Each session keeps its order, everything else comes when it comes, in batches.
        let order = shuffled(nights, using: &random)
        var batches: [[Event]] = []
        for event in order {
            if batches.isEmpty || Bool.random(using: &random) {
                batches.append([event])
            } else {
                batches[batches.count - 1].append(event)
            }
        }
        try await withStore(kind) { store in
            let found = try await baselines(of: batches, store)
            #expect(found == expected)
        }
    }

    /// - Returns: of one car, by time.
    private func nights(using random: inout SplitMix64) -> [Event] {
        let log = SampleLog()
        var events: [Event] = []
        for night in Int64(0)..<6 {
            var minute = night * 1_440 + .random(in: 0...120, using: &random)
            func say(_ status: VehicleStatus.Status) { events.append(plugIns.status(log, minute, status)) }
            if Int.random(in: 0..<4, using: &random) > 0 {
                say(Bool.random(using: &random) ? .pluggedIn : .idle(.unknown))
            }
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                minute += .random(in: 1...200, using: &random)
                let charge = plugIns.charge(log, minute, minute + .random(in: 5...90, using: &random))
                // Some never say that they are over.
                events += Int.random(in: 0..<5, using: &random) == 0 ? Array(charge.dropLast()) : charge
                minute += .random(in: 91...150, using: &random)
                if Bool.random(using: &random) { say(.active(.unknown)) }
            }
            minute += .random(in: 1...60, using: &random)
            if Int.random(in: 0..<4, using: &random) > 0 { say(.unplugged) }
        }
        return events
    }

    private func shuffled(_ events: [Event], using random: inout SplitMix64) -> [Event] {
        var queues = Dictionary(grouping: events) { $0.session?.id ?? $0.id }.sorted {
            $0.key.uuidString < $1.key.uuidString
        }.map(\.value)
        queues.shuffle(using: &random)
        var result: [Event] = []
        while !queues.isEmpty {
            let index = Int.random(in: queues.indices, using: &random)
            result.append(queues[index].removeFirst())
            if queues[index].isEmpty { queues.remove(at: index) }
        }
        return result
    }

    private struct Outcome: Equatable {
        let pluggedIn: Timestamp?
        let baseline: SessionBaseline?
    }

    private func baselines(of batches: [[Event]], _ store: any InsightStore) async throws -> [Outcome?] {
        guard let venueID = batches.first?.first?.venueID else { return [] }
        var log = SampleLog(venueID: venueID)
        for batch in batches { log.append(batch) }
        let projector = try await plugIns.project(log, into: store)
        #expect(try await plugIns.isRebuiltAlike(projector, log))
        return try await plugIns.counted(store, log).map { session in
            session.pluggedIn == nil ? nil : Outcome(pluggedIn: session.pluggedIn, baseline: session.baseline)
        }
    }
}
