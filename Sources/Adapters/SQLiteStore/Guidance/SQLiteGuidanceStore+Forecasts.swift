public import EnergyModel
public import EnergyStore
internal import Foundation
internal import GRDB

extension SQLiteGuidanceStore {
    public func addForecast(_ issue: ForecastIssue, source: String, region: String) async throws(EnergyError) {
        try await database.write { connection in
            let values = try JSONEncoder().encode(issue.values)
            try connection.execute(
                sql: """
                    INSERT OR REPLACE INTO forecasts (source, region, start_ms, end_ms, issued_values)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    source, region, issue.interval.start.unixMilliseconds, issue.interval.end.unixMilliseconds,
                    String(decoding: values, as: UTF8.self),
                ])
        }
    }

    public func forecasts() async throws(EnergyError) -> [StoredForecast] {
        try await database.read { connection in
            try Row.fetchAll(connection, sql: "SELECT * FROM forecasts ORDER BY start_ms, source, region").map { row in
                let (start, end): (Int64, Int64) = (row["start_ms"], row["end_ms"])
                let text: String = row["issued_values"]
                guard
                    let interval = Interval(
                        start: Timestamp(unixMilliseconds: start), end: Timestamp(unixMilliseconds: end)),
                    let values = try? JSONDecoder().decode([Double].self, from: Data(text.utf8)),
                    let issue = ForecastIssue(interval: interval, values: values)
                else { throw EnergyError.damaged("issued_values") }
                return StoredForecast(source: row["source"], region: row["region"], issue: issue)
            }
        }
    }
}
