internal import EnergyModel
internal import Foundation

/// What ENTSO-E's Transparency Platform answers: `Publication_MarketDocument`, or `Acknowledgement_MarketDocument` when
/// something is wrong, as far as prices need it.
struct PublicationDocument {
    /// The name of its root element.
    var root = ""
    var created: String?
    /// Of an acknowledgement: its texts. All codes are 999.
    var reasons: [String] = []
    var series: [Series] = []

    struct Series {
        var currency = ""
        var unit = ""
        /// `A01` is the day-ahead contract.
        var contract = ""
        /// `A01`: every position is there; `A03`: one that is left out is as the one before.
        var curve = ""
        /// Which of several auctions; the lowest is the main one.
        var auction = 1
        var periods: [Period] = []
    }

    struct Period {
        var start = ""
        var end = ""
        var resolution = ""
        /// `nil` where a position is there without a price.
        var amounts: [Int: Decimal?] = [:]

        /// More than a month of quarter-hours is no answer to what we ask.
        static let positionsMax = 4_000

        /// One point for each position of the period that has a price.
        ///
        /// How many positions there are follows from the instants at both ends, in UTC: 92, 96 or 100 quarter-hours for a
        /// local day.
        ///
        /// - Parameter isCarried: a position that is left out has the price of the one before.
        func points(isCarried: Bool) throws(EnergyError) -> [SignalPoint] {
            let (step, count) = try steps()
            let start = try Timestamp(label: start)
            guard amounts.keys.allSatisfy({ 1...count ~= $0 }) else {
                throw EnergyError(.invalidInput, "a period of \(count) positions in the answer has others")
            }
            var (points, last): ([SignalPoint], Decimal?) = ([], nil)
            for position in 1...count {
                if let known = amounts[position] { last = known } else if !isCarried { last = nil }
                guard let last else { continue }
                let offset = Int64(position - 1) * step
                points.append(
                    SignalPoint(
                        try PriceUnit.perMegawattHour.price(last),
                        over: Interval(start: start.advanced(byMilliseconds: offset), milliseconds: step)))
            }
            return points
        }

        func steps() throws(EnergyError) -> (milliseconds: Int64, count: Int) {
            let minutes: [String: Int64] = ["PT15M": 15, "PT30M": 30, "PT60M": 60, "PT1H": 60]
            guard let step = minutes[resolution].map({ $0 * .millisecondsPerMinute }) else {
                throw EnergyError(.invalidInput, "the resolution \(resolution.prefix(20)) in the answer is not known")
            }
            let length = try Timestamp(label: end).milliseconds(since: try Timestamp(label: start))
            guard length % step == 0, 1...Int64(Self.positionsMax) ~= length / step else {
                throw EnergyError(.invalidInput, "a period in the answer is no whole number of \(resolution)")
            }
            return (step, Int(length / step))
        }
    }
}
