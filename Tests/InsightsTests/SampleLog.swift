import EnergyModel
import EnergyTestSupport
import Foundation

/// Sessions as they stand in the log of one venue, and what they add up to.
struct SampleLog {
    var venueID = UUID()
    private(set) var records: [LogRecord] = []
    /// What each series' sessions report.
    private(set) var energies: [InsightSeries: Int64] = [:]

    var partition: Int { LogPartition.of(venueID: venueID) }

    mutating func append(_ events: [Event]) {
        records.append(
            LogRecord(
                partition: partition, sequence: UInt64(records.count + 1), venueID: venueID,
                received: events.last?.timestamp ?? Timestamp(unixMilliseconds: 0), principal: "test", events: events))
    }

    /// A session that reports `energy` at `times`: the first begins it, the last ends it.
    func session(
        device: String, direction: FlowDirection = .imported, _ points: [(time: Timestamp, power: Int64, energy: Int64)]
    ) -> [Event] {
        let id = UUID()
        return points.enumerated().map { index, point in
            let state: Session.State = index == 0 ? .begin : index == points.count - 1 ? .end : .active
            let session = Session(id: id, state: state, wasFollowingGuidance: true, guidanceToken: UUID())
            return event(
                point.time, device, .electricVehicle,
                .vehicleLoad(
                    VehicleLoad(
                        session: session, stateOfCharge: 50, direction: direction, powerMilliwatts: point.power,
                        energyMilliwattHours: point.energy)))
        }
    }

    /// An HVAC session: stages hold until the next point.
    func heating(device: String, _ points: [(time: Timestamp, stage: Int)]) -> [Event] {
        let id = UUID()
        return points.enumerated().map { index, point in
            let state: Session.State = index == 0 ? .begin : index == points.count - 1 ? .end : .active
            let session = Session(id: id, state: state, wasFollowingGuidance: true, guidanceToken: UUID())
            return event(point.time, device, .hvac, .hvacLoad(HVACLoad(session: session, stage: point.stage)))
        }
    }

    func status(device: String, at time: Timestamp, _ status: VehicleStatus.Status) -> Event {
        event(
            time, device, .electricVehicle,
            .vehicleStatus(VehicleStatus(status: status, stateOfCharge: 50, energyMilliwattHours: 30_000_000)))
    }

    private func event(_ time: Timestamp, _ device: String, _ kind: Device.Kind, _ content: Event.Content) -> Event {
        Event(
            id: UUID(), timestamp: time, venueID: venueID, device: Device(id: device, name: device, kind: kind),
            content: content)
    }

    /// Sessions of three cars and a heat pump that overlap, pause, repeat times and events, and take from milliseconds to
    /// days, and statuses of the cars; their events mixed within and across records.
    static func random(seed: UInt64, around middle: Timestamp) -> SampleLog {
        var random = SplitMix64(seed: seed)
        var log = SampleLog()
        var queues: [[Event]] = []
        for index in 0..<12 {
            var time = middle.advanced(byMilliseconds: .random(in: -172_800_000...86_400_000, using: &random))
            var energy: Int64 = 0
            if index.isMultiple(of: 4) {
                let points = (0..<8).map { step in
                    time = time.advanced(byMilliseconds: .random(in: 0...7_200_000, using: &random))
                    return (time, step == 0 || step == 7 ? 0 : Int.random(in: 0...100, using: &random))
                }
                queues.append(log.heating(device: "heat pump", points))
                continue
            }
            let stepMax: Int64 = [1_000, 900_000, 7_200_000, 90_000_000].randomElement(using: &random) ?? 1
            let count = Int.random(in: 2...20, using: &random)
            let points = (0..<count).map { step in
                if step > 0 {
                    if Int.random(in: 0..<6, using: &random) > 0 {
                        time = time.advanced(byMilliseconds: .random(in: 0...stepMax, using: &random))
                    }
                    if Bool.random(using: &random) { energy += .random(in: 0...9_999_999, using: &random) }
                }
                return (time, step == 0 ? 0 : Int64.random(in: 0...3, using: &random) * 3_700_000, energy)
            }
            let direction: FlowDirection = index == 1 || index == 6 ? .exported : .imported
            let series = InsightSeries(
                venueID: log.venueID, deviceID: "car \(index % 3)", kind: .electricVehicle, direction: direction)
            log.energies[series, default: 0] += energy
            let waited = Int64.random(in: 0...7_200_000, using: &random)
            let pluggedIn = points[0].0.advanced(byMilliseconds: -waited)
            queues.append(
                [log.status(device: series.deviceID, at: pluggedIn, .pluggedIn)]
                    + log.session(device: series.deviceID, direction: direction, points))
        }
        let statuses: [VehicleStatus.Status] = [.pluggedIn, .idle(.unknown), .active(.unknown), .unplugged]
        for index in 0..<9 {
            var time = middle.advanced(byMilliseconds: .random(in: -259_200_000...86_400_000, using: &random))
            queues.append(
                (0..<4).map { _ in
                    time = time.advanced(byMilliseconds: .random(in: -900_000...14_400_000, using: &random))
                    return log.status(
                        device: "car \(index % 3)", at: time, statuses.randomElement(using: &random) ?? .pluggedIn)
                })
        }
        while !queues.isEmpty {
            var events: [Event] = []
            for _ in 0..<Int.random(in: 1...5, using: &random) where !queues.isEmpty {
                let index = Int.random(in: queues.indices, using: &random)
                events.append(queues[index].removeFirst())
                if queues[index].isEmpty { queues.remove(at: index) }
            }
            // Now and then an event is there twice.
            if let record = log.records.randomElement(using: &random), Int.random(in: 0..<4, using: &random) == 0 {
                events.insert(contentsOf: record.events.prefix(1), at: 0)
            }
            log.append(events)
        }
        return log
    }
}
