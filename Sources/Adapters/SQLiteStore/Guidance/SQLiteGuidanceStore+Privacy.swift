public import EnergyModel
public import EnergyStore
public import Foundation

extension SQLiteGuidanceStore: DocumentStore {
    private static let tables = ["venue_revisions", "venue_homes", "venue_numbers", "askers", "demand_response"].map {
        PersonalTable($0, device: nil)
    }

    public func eraseVenue(_ id: UUID) async throws(EnergyError) -> [ErasedCount] {
        try await database.erase(DataSubject(venueID: id), from: Self.tables)
    }

    public func documents(
        of subject: DataSubject, skipped: Int, countMax: Int
    ) async throws(EnergyError) -> [StoredDocument] {
        try await database.documents(of: subject, in: Self.tables, skipped: skipped, countMax: countMax)
    }
}
