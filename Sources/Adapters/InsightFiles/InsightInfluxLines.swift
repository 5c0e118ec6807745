public import EnergyModel
internal import Foundation

/// Insight records as InfluxDB line protocol, a line for each period, at its start in nanoseconds.
///
/// The start, because InfluxDB's windows hold their start and not their end. Importing the same period twice writes the
/// same point.
///
/// - Source: InfluxData, "Line protocol reference".
public struct InsightInfluxLines: InsightFile {
    public static let measurement = "gridtide_insight"

    private let subject: InsightFileSubject

    public init(_ subject: InsightFileSubject) { self.subject = subject }

    public func start() -> [FilePiece] { [] }

    public func add(_ record: InsightRecord) -> [FilePiece] {
        let start = record.interval.start.unixMilliseconds
        // Beyond the years 1678 to 2262 InfluxDB has no time.
        let (nanoseconds, overflows) = start.multipliedReportingOverflow(by: 1_000_000)
        guard !overflows else { return [] }
        let fields = fields(of: record).map { "\($0)=\($1)" }.joined(separator: ",")
        return [FilePiece("\(Self.measurement)\(tags(of: record)) \(fields) \(nanoseconds)\n")]
    }

    public func finish(applied: [LogHead]) -> [FilePiece] { [] }

    private func tags(of record: InsightRecord) -> String {
        let query = subject.query
        // Sorted, as InfluxDB asks for.
        let tags: [(String, String?)] = [
            ("device", record.deviceID ?? query.deviceID),
            ("device_type", (record.deviceKind ?? query.deviceKind).map { FileWords.snake($0.rawValue) }),
            ("direction", query.direction.rawValue), ("granularity", FileWords.snake(query.granularity.rawValue)),
            ("venue", subject.venue.name), ("venue_id", subject.venue.id.uuidString.lowercased()),
        ]
        return tags.compactMap { key, value in
            guard let value = value.map(Self.escaped), !value.isEmpty else { return nil }
            return ",\(key)=\(value)"
        }.joined()
    }

    private func fields(of record: InsightRecord) -> [(String, String)] {
        var fields =
            record.measuresEnergy ? [("energy_kwh", ExactNumber.kilowattHours(record.total.energy))] : []
        fields += [
            ("runtime_s", ExactNumber.seconds(milliseconds: record.total.runtimeMilliseconds)),
            ("weighted_runtime_s", ExactNumber.seconds(milliseconds: record.total.weightedRuntimeMilliseconds)),
        ]
        let worth = record.knownWorth
        fields += worth.costs.map { ("cost_\($0.currency.lowercased())", ExactNumber.currencyUnits($0)) }
        if !worth.costs.isEmpty {
            fields.append(("priced_energy_kwh", ExactNumber.kilowattHours(worth.pricedEnergy)))
        }
        for mass in worth.carbon {
            let kind = FileWords.snake(mass.kind.rawValue)
            fields.append(("carbon_\(kind)_g", ExactNumber.grams(mass)))
            fields.append(("carbon_\(kind)_energy_kwh", ExactNumber.kilowattHours(mass.energy)))
        }
        for (family, item, amount) in record.splitAmounts {
            if record.measuresEnergy {
                fields.append(("\(family)_\(item)_kwh", ExactNumber.kilowattHours(amount.energy)))
            }
            fields.append(("\(family)_\(item)_s", ExactNumber.seconds(milliseconds: amount.runtimeMilliseconds)))
        }
        return fields
    }

    /// A line break would begin another line, and a backslash at the end would take the comma for a part of the value.
    private static func escaped(_ value: String) -> String {
        value.escaping { scalar in
            switch scalar {
            case ",", "=", " ": "\\\(scalar)"
            case "\\": "/"
            default: scalar.properties.generalCategory == .control ? "_" : nil
            }
        }
    }
}

extension InsightRecord {
    /// What was asked to be split, class by class, in a fixed order; classes without energy and run time are left out.
    var splitAmounts: [(family: String, class: String, amount: InsightAmount)] {
        var amounts: [(family: String, class: String, amount: InsightAmount)] = []
        func add<Class: Hashable & RawRepresentable<String>>(
            _ family: String, _ split: [Class: InsightAmount]?, _ order: [Class]
        ) {
            for item in order {
                guard let amount = split?[item], amount != .zero else { continue }
                amounts.append((family, FileWords.snake(item.rawValue), amount))
            }
        }
        add("cleanliness", byCleanliness, FileWords.cleanliness.map(\.class))
        add("tariff", byTariff, FileWords.peaks.map(\.class))
        add("rated", byBand, FileWords.bands.map(\.class))
        return amounts
    }
}
