public import EnergyModel

/// A store that can show everything that it keeps of a subject.
public protocol DocumentStore: Sendable {
    /// `countMax` documents from the one after the first `skipped` on, in an order that stays while nothing changes.
    ///
    /// - Throws: ``EnergyError`` `.unavailable`.
    func documents(of subject: DataSubject, skipped: Int, countMax: Int) async throws(EnergyError) -> [StoredDocument]
}
