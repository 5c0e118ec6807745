public import EnergyModel
public import EnergyStore
internal import GRDB
internal import SQLColumns

extension SQLiteGuidanceStore {
    public func addForecast(_ issue: ForecastIssue, source: String, region: String) async throws(EnergyError) {
        try await database.write { connection in
            let forecast = StoredForecast(source: source, region: region, issue: issue)
            try connection.upsert(forecast.columns(), into: "forecasts", key: ["source", "region", "start_ms"])
        }
    }

    public func forecasts() async throws(EnergyError) -> [StoredForecast] {
        try await database.read { connection in
            try connection.rows("SELECT * FROM forecasts ORDER BY start_ms, source, region")
                .map { try StoredForecast($0) }
        }
    }
}
