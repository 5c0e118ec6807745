internal import EnergyModel
internal import Foundation

/// A file beside a database that was moved elsewhere: what is in the database is the past.
enum MovedMark {
    static func path(of database: String) -> String { database + ".moved" }

    static func isBeside(_ database: String) -> Bool { FileManager.default.fileExists(atPath: path(of: database)) }

    /// - Throws: `.unavailable` for a database that was moved.
    static func refuse(_ database: String) throws(EnergyError) {
        guard isBeside(database) else { return }
        let mark = path(of: database)
        throw EnergyError(
            .unavailable,
            "\(database) was moved to PostgreSQL: set store.postgresql, or remove \(mark) to go on with what the file holds"
        )
    }
}
