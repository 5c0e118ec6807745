internal import EnergyModel
internal import Foundation
internal import GRDB

/// SQL on the table `bucket`.
enum BucketRow {
    static func add(_ amount: InsightAmount, to bucket: InsightBucket, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO bucket (venue_id, device_id, direction, start_quarter, cleanliness, peak, energy_mwh, runtime_ms)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET
                    energy_mwh = min(energy_mwh + excluded.energy_mwh, 9223372036854775807),
                    runtime_ms = min(runtime_ms + excluded.runtime_ms, 9223372036854775807)
                """
        ).execute(arguments: [
            bucket.series.venueID.bytes, bucket.series.deviceID, bucket.series.direction.code, quarter(bucket.start),
            bucket.class.cleanliness.code, bucket.class.peak.code, amount.energy.milliwattHours,
            amount.runtimeMilliseconds,
        ])
    }

    /// Sorted. One index seek per device.
    static func devices(of venueID: UUID, _ db: Database) throws -> [String] {
        let next = try db.cachedStatement(sql: "SELECT min(device_id) FROM bucket WHERE venue_id = ? AND device_id > ?")
        var devices: [String] = []
        while let device = try String.fetchOne(next, arguments: [venueID.bytes, devices.last ?? ""]) {
            devices.append(device)
        }
        return devices
    }

    /// Of the first bucket that does not start before `start`.
    static func firstStart(of series: InsightSeries, from start: Timestamp, _ db: Database) throws -> Timestamp? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT min(start_quarter) FROM bucket
                    WHERE venue_id = ? AND device_id = ? AND direction = ? AND start_quarter >= ?
                    """),
            arguments: [series.venueID.bytes, series.deviceID, series.direction.code, quarterNotBefore(start)]
        ).map { Timestamp(unixMilliseconds: $0 * InsightBucket.milliseconds) }
    }

    static func sum(
        _ series: InsightSeries, from start: Timestamp, to end: Timestamp,
        into amounts: inout [InsightClass: InsightAmount], _ db: Database
    ) throws {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT cleanliness, peak, sum(energy_mwh), sum(runtime_ms) FROM bucket
                    WHERE venue_id = ? AND device_id = ? AND direction = ? AND start_quarter >= ? AND start_quarter < ?
                    GROUP BY cleanliness, peak
                    """),
            arguments: [
                series.venueID.bytes, series.deviceID, series.direction.code, quarterNotBefore(start),
                quarterNotBefore(end),
            ])
        while let row = try rows.next() {
            let key = InsightClass(cleanliness: Cleanliness(code: row[0]), peak: TariffPeak(code: row[1]))
            amounts[key, default: .zero] += InsightAmount(
                energy: Energy(milliwattHours: row[2]), runtimeMilliseconds: row[3])
        }
    }

    private static func quarter(_ start: Timestamp) -> Int64 { start.unixMilliseconds / InsightBucket.milliseconds }

    /// A bucket belongs to the period that holds its start, so an edge inside a bucket counts as the bucket's end.
    private static func quarterNotBefore(_ edge: Timestamp) -> Int64 {
        let floor = quarter(edge)
        return floor * InsightBucket.milliseconds < edge.unixMilliseconds ? floor + 1 : floor
    }
}
