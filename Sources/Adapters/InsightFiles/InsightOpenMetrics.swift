public import EnergyModel
internal import Foundation

/// Insight records as OpenMetrics text with timestamps, for `promtool tsdb create-blocks-from openmetrics`.
///
/// Gauges of what each period used, at the period's end: a range selector holds its end and not its start, so
/// `sum_over_time(gridtide_energy_watthours{granularity="quarter_hourly"}[1d])` at midnight is the day. A period that is
/// exported again, or in another file, is the same sample; a counter would depend on where the export began.
///
/// The format wants each metric family, and each set of labels in it, in one piece: every one is a lane.
///
/// - Source: OpenMetrics 1.0, "Overall structure", "MetricFamily".
public struct InsightOpenMetrics: InsightFile {
    private struct Family {
        let name: String
        let unit: String
        let help: String
        let lane: Int
    }

    private let subject: InsightFileSubject
    /// Lane of each set of labels, by family.
    private var lanes: [String: Int] = [:]
    private var lastLane: Int
    private let common: String

    private static let lanesPerFamily = 1_000
    private static let families = [
        Family(name: "gridtide_energy_watthours", unit: "watthours", help: "Energy of a period.", lane: 0),
        Family(name: "gridtide_runtime_seconds", unit: "seconds", help: "Run time in a period.", lane: 1),
        Family(
            name: "gridtide_weighted_runtime_seconds", unit: "seconds",
            help: "Run time in a period, weighted by stage.", lane: 2),
        Family(
            name: "gridtide_cost", unit: "",
            help:
                "What the energy of a period cost, in units of the currency; of exported energy what was paid for it.",
            lane: 3),
        Family(name: "gridtide_carbon_grams", unit: "grams", help: "CO2 equivalent of a period.", lane: 4),
        Family(
            name: "gridtide_cleanliness_energy_watthours", unit: "watthours",
            help: "Energy of a period, by how clean the grid was.", lane: 5),
        Family(
            name: "gridtide_tariff_energy_watthours", unit: "watthours",
            help: "Energy of a period, by what the contract calls the time.", lane: 6),
        Family(
            name: "gridtide_rated_energy_watthours", unit: "watthours",
            help: "Energy of a period, by how guidance rated the time.", lane: 7),
    ]

    public init(_ subject: InsightFileSubject) {
        self.subject = subject
        lastLane = (Self.families.count + 1) * Self.lanesPerFamily
        let query = subject.query
        common =
            #"venue="\#(Self.escaped(subject.venue.name))",venue_id="\#(subject.venue.id.uuidString.lowercased())""#
            + #",direction="\#(query.direction.rawValue)",granularity="\#(FileWords.snake(query.granularity.rawValue))""#
    }

    public func start() -> [FilePiece] { [] }

    public mutating func add(_ record: InsightRecord) -> [FilePiece] {
        let total = record.total
        var pieces: [FilePiece] = []
        func watthours(_ energy: Energy) -> String { ExactNumber.text(energy.milliwattHours, places: 3) }
        if record.measuresEnergy { add(0, "", watthours(total.energy), record, &pieces) }
        add(1, "", ExactNumber.seconds(milliseconds: total.runtimeMilliseconds), record, &pieces)
        add(2, "", ExactNumber.seconds(milliseconds: total.weightedRuntimeMilliseconds), record, &pieces)
        for cost in record.knownWorth.costs {
            add(3, #",currency="\#(Self.escaped(cost.currency))""#, ExactNumber.currencyUnits(cost), record, &pieces)
        }
        for mass in record.knownWorth.carbon {
            add(4, #",kind="\#(FileWords.snake(mass.kind.rawValue))""#, ExactNumber.grams(mass), record, &pieces)
        }
        for (family, item, amount) in record.splitAmounts where record.measuresEnergy {
            let lane = family == "cleanliness" ? 5 : family == "tariff" ? 6 : 7
            add(lane, #",class="\#(item)""#, watthours(amount.energy), record, &pieces)
        }
        return pieces
    }

    public func finish(applied: [LogHead]) -> [FilePiece] { [FilePiece("# EOF\n", lane: lastLane)] }

    private mutating func add(
        _ index: Int, _ labels: String, _ value: String, _ record: InsightRecord, _ pieces: inout [FilePiece]
    ) {
        let family = Self.families[index]
        let first = index * Self.lanesPerFamily
        let key = "\(index)\(labels)"
        if lanes[key] == nil {
            let used = lanes.values.filter { $0 / Self.lanesPerFamily == index }.count
            // As many as no contract and no signal has.
            guard used < Self.lanesPerFamily - 1 else { return }
            if used == 0 { pieces.append(FilePiece(Self.description(of: family), lane: first)) }
            lanes[key] = first + 1 + used
        }
        let (device, kind) = (record.deviceID ?? subject.query.deviceID, record.deviceKind ?? subject.query.deviceKind)
        let whose =
            (device.map { #",device="\#(Self.escaped($0))""# } ?? "")
            + (kind.map { #",device_type="\#(FileWords.snake($0.rawValue))""# } ?? "")
        let time = ExactNumber.seconds(milliseconds: record.interval.end.unixMilliseconds)
        pieces.append(
            FilePiece("\(family.name){\(common)\(whose)\(labels)} \(value) \(time)\n", lane: lanes[key] ?? first))
    }

    private static func description(of family: Family) -> String {
        "# TYPE \(family.name) gauge\n" + (family.unit.isEmpty ? "" : "# UNIT \(family.name) \(family.unit)\n")
            + "# HELP \(family.name) \(family.help)\n"
    }

    private static func escaped(_ value: String) -> String {
        value.escaping { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\n": "\\n"
            default: nil
            }
        }
    }
}
