public import EnergyModel
internal import Foundation

/// A number over buckets, sessions and statuses, in any order: two projections with the same have counted the same.
///
/// It finds mistakes, not forgeries.
public struct InsightDigest: Sendable {
    /// The sum of what each item hashes to.
    public private(set) var value: UInt64 = 0

    public init() {}

    public mutating func add(_ series: InsightSeries, _ key: QuarterClass, _ tally: InsightTally) {
        var hash = Hash()
        hash.add(series)
        hash.add(Int64(key.quarter), Int64(key.class.code))
        hash.add(tally)
        value &+= hash.value
    }

    public mutating func add(_ session: CountedSession) {
        var hash = Hash()
        hash.add(session.series)
        hash.add(session.key.sessionID)
        hash.add(
            session.began.unixMilliseconds, (session.pluggedIn ?? session.began).unixMilliseconds,
            session.timestamp.unixMilliseconds, session.energy.milliwattHours,
            session.powerMilliwatts ?? -1, session.isRunning ? 1 : 0, Int64(session.stage), session.isOver ? 1 : 0,
            session.wasFollowingGuidance ? 1 : 0, Int64(session.stateOfChargeAtBegin ?? -1),
            Int64(session.stateOfChargeAtLast ?? -1), session.powerMilliwattsMax, session.meanPowerMilliwattsMax,
            Int64(clamping: session.sequences.lowerBound), Int64(clamping: session.sequences.upperBound),
            session.isRepaired ? 1 : 0)
        for (item, tally) in session.tallies.sorted(by: { $0.key.code < $1.key.code }) {
            hash.add(Int64(item.code))
            hash.add(tally)
        }
        if let baseline = session.baseline {
            hash.add(
                baseline.interval.start.unixMilliseconds, baseline.interval.end.unixMilliseconds,
                baseline.power.milliwatts, baseline.worth.pricedEnergy.milliwattHours)
            for cost in baseline.worth.costs { hash.add(cost.micros) }
            for mass in baseline.worth.carbon { hash.add(mass.milligrams, mass.energy.milliwattHours) }
        }
        value &+= hash.value
    }

    /// - Parameter status: of a vehicle.
    public mutating func add(_ status: Activity) { value &+= status.digest }

    /// FNV-1a by words, mixed at the end so that sums of hashes do not cancel out.
    private struct Hash {
        private var state: UInt64 = 0xCBF2_9CE4_8422_2325

        var value: UInt64 {
            var mixed = state
            mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
            mixed = (mixed ^ (mixed >> 33)) &* 0xC4CE_B9FE_1A85_EC53
            return mixed ^ (mixed >> 33)
        }

        mutating func add(_ numbers: Int64...) {
            for number in numbers { state = (state ^ UInt64(bitPattern: number)) &* 0x100_0000_01B3 }
        }

        mutating func add(_ id: UUID) {
            withUnsafeBytes(of: id.uuid) { for byte in $0 { add(Int64(byte)) } }
        }

        mutating func add(_ series: InsightSeries) {
            add(series.venueID)
            for byte in series.deviceID.utf8 { add(Int64(byte)) }
            for byte in (series.kind.rawValue + series.direction.rawValue).utf8 { add(Int64(byte)) }
        }

        mutating func add(_ tally: InsightTally) {
            add(
                tally.amount.energy.milliwattHours, tally.amount.runtimeMilliseconds,
                tally.amount.weightedRuntimeMilliseconds, tally.costMicros, tally.carbonMilligrams)
        }
    }
}
