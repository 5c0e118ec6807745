internal import EnergyModel
internal import EnergyStore

/// How a vehicle does not do what its schedule says.
enum Deviation: Hashable {
    /// ``Excess``
    case drawsMore
    /// It should charge and does not, with what it says of that.
    case refuses(String?)
    /// It should charge, and nothing was heard from it for long.
    case silent
}

extension Replanner {
    /// - Parameter records: all devices of the venue that have a goal.
    func deviations(_ records: [DeviceRecord], now: Timestamp) -> [Scheduler.DeviceKey: Deviation] {
        let silent = records.filter { $0.silentSince(now) != nil }.map { ($0.key, Deviation.silent) }
        let refusing = records.filter { $0.progress.refusedSince != nil }
        let refusals = refusing.map { ($0.key, Deviation.refuses($0.progress.status?.refusal)) }
        let drawing = excesses(records, now: now).mapValues { _ in Deviation.drawsMore }
        return drawing.merging(silent) { $1 }.merging(refusals) { $1 }
    }
}

/// What a vehicle draws now above what it was told to: nobody can plan it, but others have to leave it room.
struct Excess {
    let power: Power
    private let phases: [Int]

    /// Counts for so long: until then it stops, or tells that it goes on.
    private static let milliseconds = 15 * Int64.millisecondsPerMinute
    /// What power may differ by without being against the plan.
    private static let share = 0.1

    /// - Parameter restrainedSince: since when it was told to wait, or less than it draws, also by schedules before this one.
    /// - Returns: `nil` for one that does as it is told, or was told so less than a minute ago.
    init?(_ record: DeviceRecord, restrainedSince: Timestamp?, now: Timestamp) {
        guard let vehicle = record.device.vehicle, let power = Self.power(record, now: now) else { return nil }
        let block = record.schedule?.blocks.first { $0.interval.contains(now) }
        if let start = restrainedSince ?? block?.interval.start, (record.progress.switched ?? start) <= start {
            guard let updated = record.progress.updated,
                updated.milliseconds(since: start) >= .millisecondsPerMinute
            else { return nil }
        }
        self.power = power
        phases = vehicle.phases
    }

    /// What a vehicle draws above what it is told now, however new that is; `nil` for nothing that counts.
    static func power(_ record: DeviceRecord, now: Timestamp) -> Power? {
        guard let vehicle = record.device.vehicle, let session = record.progress.session, record.progress.isCharging,
            record.goal == nil || record.schedule != nil
        else { return nil }
        let told = record.schedule?.blocks.first { $0.interval.contains(now) }?.power ?? .zero
        let more = session.power.kilowatts - told.kilowatts
        return more > share * vehicle.powerMax.kilowatts ? Power(kilowatts: more) : nil
    }

    /// What its plan says of it.
    func words(_ record: DeviceRecord, now: Timestamp) -> String {
        let text = LocalTimeText(timeZone: record.timeZone, now: now)
        return "it draws \(text.power(power)) more than it was told to, which counts beside others"
    }

    func end(from now: Timestamp) -> Timestamp { now.advanced(byMilliseconds: Self.milliseconds) }

    /// - Parameter load: kW on each phase.
    func add(to load: inout [Double]) {
        for phase in phases { load[phase - 1] += power.kilowatts / Double(phases.count) }
    }
}
