public import EnergyModel
public import EnergyStore
public import Foundation
internal import SQLColumns

extension PostgreSQLGuidanceStore {
    private static let turn = "venues"

    public func venues() async throws(EnergyError) -> [Venue] {
        try await database.read { transaction in
            try transaction.send(
                "SELECT DISTINCT ON (venue_id) * FROM venue_revisions ORDER BY venue_id, changed_ms DESC")
            try transaction.send("SELECT venue_id, home_id FROM venue_homes ORDER BY venue_id, position")
            let answers = try transaction.answers()
            var homes: [UUID: [UUID]] = [:]
            for row in answers[1] { homes[try row["venue_id"], default: []].append(try row["home_id"]) }
            return try answers[0].map { try Venue($0, homes: homes[try $0["venue_id"]] ?? []) }
                .sorted { ($0.name, $0.id.uuidString) < ($1.name, $1.id.uuidString) }
        }
    }

    public func venueRevisions(_ id: UUID) async throws(EnergyError) -> [Venue] {
        try await database.read { try Self.revisions(of: id, $0) }
    }

    private static func revisions(of id: UUID, _ transaction: PostgreSQLTransaction) throws -> [Venue] {
        try transaction.send("SELECT * FROM venue_revisions WHERE venue_id = $1 ORDER BY changed_ms", [id])
        try transaction.send("SELECT home_id FROM venue_homes WHERE venue_id = $1 ORDER BY position", [id])
        let answers = Array(try transaction.answers().suffix(2))
        let homes: [UUID] = try answers[1].map { try $0["home_id"] }
        return try answers[0].map { try Venue($0, homes: homes) }
    }

    public func venueNumbers() async throws(EnergyError) -> [UUID: VenueNumber] {
        try await database.read { transaction in
            try transaction.query("SELECT venue_id, number FROM venue_numbers").reduce(into: [:]) { numbers, row in
                numbers[try row["venue_id"]] = try row["number"] as VenueNumber
            }
        }
    }

    @discardableResult
    public func putVenue(_ venue: Venue) async throws(EnergyError) -> VenueNumber {
        let attempts = Attempts()
        return try await database.run(.readCommitted) { transaction in
            try transaction.takeTurn(Self.turn)
            let stored = try Self.revisions(of: venue.id, transaction)
            if attempts.next() > 1, stored.last == venue.asStored {
                return try Self.number(of: venue.id, transaction)
            }
            try Self.checkHomes(of: venue, transaction)
            try GuidanceLimits.check(
                count: stored.isEmpty ? transaction.count("SELECT count(*) AS count FROM venue_numbers") : 0,
                max: GuidanceLimits.venuesMax, revisions: stored.count,
                isNewest: stored.allSatisfy { $0.changed < venue.changed }, what: "venue")
            try transaction.sendInsert(venue.columns, into: "venue_revisions")
            try transaction.send("DELETE FROM venue_homes WHERE venue_id = $1", [venue.id])
            for home in venue.homeColumns { try transaction.sendInsert(home, into: "venue_homes") }
            return try Self.number(of: venue.id, transaction)
        }
    }

    private static func checkHomes(of venue: Venue, _ transaction: PostgreSQLTransaction) throws {
        guard venue.removed == nil, !venue.homeIDs.isEmpty else { return }
        let taken = try transaction.query(
            "SELECT home_id FROM venue_homes WHERE home_id = ANY($1) AND venue_id <> $2", [venue.homeIDs, venue.id])
        if let home = try taken.first?["home_id"] as UUID? { throw EnergyError.homeTaken(home) }
    }

    /// The venue's, or the next one there is.
    private static func number(of id: UUID, _ transaction: PostgreSQLTransaction) throws -> VenueNumber {
        let known = try transaction.query("SELECT number FROM venue_numbers WHERE venue_id = $1", [id])
        if let row = known.first { return try row["number"] }
        let next = try transaction.query(
            "UPDATE venue_numbering SET last_number = last_number + 1 RETURNING last_number")
        guard let number = try next.first?["last_number"] as VenueNumber? else { throw EnergyError.damaged("number") }
        try transaction.send("INSERT INTO venue_numbers (venue_id, number) VALUES ($1, $2)", [id, number])
        return number
    }
}

extension PostgreSQLGuidanceStore: DocumentStore {
    private static let tables = ["venue_revisions", "venue_homes", "venue_numbers", "askers", "demand_response"].map {
        PersonalTable($0, ofDevices: false)
    }

    public func eraseVenue(_ id: UUID) async throws(EnergyError) -> [ErasedCount] {
        let counts = try await database.run(.readCommitted) { transaction in
            try transaction.takeTurn(Self.turn)
            // Its entries name all venues that share a guidance.
            try transaction.send("DELETE FROM journal")
            return try PostgreSQLDatabase.delete(DataSubject(venueID: id), from: Self.tables, transaction)
        }
        for table in Self.tables.map(\.name) + ["journal"] { try await database.scrub(table) }
        return counts
    }

    public func documents(
        of subject: DataSubject, skipped: Int, countMax: Int
    ) async throws(EnergyError) -> [StoredDocument] {
        try await database.documents(of: subject, in: Self.tables, skipped: skipped, countMax: countMax)
    }
}

extension Venue {
    /// As it comes back: a venue that is no more has no homes.
    fileprivate var asStored: Venue {
        var venue = self
        if removed != nil { venue.homeIDs = [] }
        return venue
    }
}
