internal import EnergyModel
internal import Foundation

struct InsightsDocument: Encodable {
    struct Amount: Encodable {
        let energyMwh: Int64
        let runtimeMs: Int64

        init(_ amount: InsightAmount) {
            energyMwh = amount.energy.milliwattHours
            runtimeMs = amount.runtimeMilliseconds
        }
    }
    struct Record: Encodable {
        let start: String
        let end: String
        let total: Amount
        let byCleanliness: [String: Amount]?
        let byTariff: [String: Amount]?

        init(_ record: InsightRecord, in zone: TimeZone) {
            start = record.interval.start.iso8601(in: zone)
            end = record.interval.end.iso8601(in: zone)
            total = Amount(record.total)
            byCleanliness = record.byCleanliness.map { split in
                Dictionary(uniqueKeysWithValues: split.map { (Words.snake($0.rawValue), Amount($1)) })
            }
            byTariff = record.byTariff.map { split in
                Dictionary(uniqueKeysWithValues: split.map { (Words.snake($0.rawValue), Amount($1)) })
            }
        }
    }
    struct Head: Encodable {
        let partition: Int
        let sequence: UInt64
    }
    let venueId: String
    let deviceId: String?
    let granularity: String
    let direction: String
    let start: String
    let end: String
    let records: [Record]
    let total: Record?
    let applied: [Head]

    init(_ answer: InsightPage, to query: InsightQuery, in zone: TimeZone) {
        venueId = query.venueID.text
        deviceId = query.deviceID
        granularity = query.granularity.rawValue
        direction = query.direction.rawValue
        start = query.range.start.iso8601(in: zone)
        end = query.range.end.iso8601(in: zone)
        records = answer.records.map { Record($0, in: zone) }
        total = answer.records.isEmpty ? nil : Record(InsightTotals.sum(answer.records), in: zone)
        applied = answer.applied.map { Head(partition: $0.partition, sequence: $0.sequence) }
    }
}
