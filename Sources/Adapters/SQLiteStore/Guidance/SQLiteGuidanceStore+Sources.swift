public import EnergyModel
public import EnergyStore
internal import GRDB
internal import SQLColumns

extension SQLiteGuidanceStore {
    public func sourceProgress(_ source: String) async throws(EnergyError) -> SourceProgress? {
        try await database.read { connection in
            try connection.rows("SELECT * FROM source_progress WHERE source = ?", [source]).first
                .map { try SourceProgress($0) }
        }
    }

    public func putSourceProgress(_ progress: SourceProgress, source: String) async throws(EnergyError) {
        try await database.write { connection in
            try connection.upsert(progress.columns(source: source), into: "source_progress", key: ["source"])
        }
    }
}
