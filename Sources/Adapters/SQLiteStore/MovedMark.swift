internal import EnergyModel
internal import Foundation

/// A file beside a database that was moved elsewhere: what is in the database is the past.
enum MovedMark {
    static func path(of database: String) -> String { database + ".moved" }

    /// - Throws: `.unavailable` for a database that was moved.
    static func refuse(_ database: String) throws(EnergyError) {
        let mark = path(of: database)
        guard FileManager.default.fileExists(atPath: mark) else { return }
        throw EnergyError(
            .unavailable,
            "\(database) was moved to PostgreSQL: set store.postgresql, or remove \(mark) to go on with what the file holds"
        )
    }
}
