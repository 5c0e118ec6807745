internal import EnergyModel
internal import Foundation

/// A session's baseline as one column.
enum PackedBaseline {
    /// Start, length, power, priced energy, the number of costs, the costs, the masses.
    static func pack(_ baseline: SessionBaseline) -> Data {
        let worth = baseline.worth
        func code(_ currency: String?, _ kind: SignalKind?) -> Int64 {
            Int64(InsightClass(cleanliness: .unknown, peak: .unknown, currency: currency, carbonKind: kind).code)
        }
        return PackedNumbers.pack(
            list: [
                baseline.interval.start.unixMilliseconds, baseline.interval.milliseconds, baseline.power.milliwatts,
                worth.pricedEnergy.milliwattHours, Int64(worth.costs.count),
            ] + worth.costs.flatMap { [code($0.currency, nil), $0.micros] }
                + worth.carbon.flatMap { [code(nil, $0.kind), $0.milligrams, $0.energy.milliwattHours] })
    }

    static func unpack(_ data: Data) throws -> SessionBaseline {
        var numbers = try PackedNumbers.unpack(list: data)[...]
        func next() throws(EnergyError) -> Int64 {
            guard let number = numbers.popFirst() else { throw .damaged("baseline") }
            return number
        }
        let (start, length, power) = (try next(), try next(), try next())
        var worth = InsightWorth(pricedEnergy: Energy(milliwattHours: try next()))
        for _ in 0..<(try next()) {
            let item = InsightClass(code: Int32(truncatingIfNeeded: try next()))
            worth.costs.append(Money(micros: try next(), currency: item.currency ?? ""))
        }
        while !numbers.isEmpty {
            let item = InsightClass(code: Int32(truncatingIfNeeded: try next()))
            worth.carbon.append(
                CarbonMass(
                    milligrams: try next(), kind: item.carbonKind ?? .averageDirect,
                    energy: Energy(milliwattHours: try next())))
        }
        guard length > 0 else { throw EnergyError.damaged("baseline") }
        return SessionBaseline(
            interval: Interval(start: Timestamp(unixMilliseconds: start), milliseconds: length),
            power: try Power(milliwatts: power), worth: worth)
    }
}
