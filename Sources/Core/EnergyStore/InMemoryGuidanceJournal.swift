public import EnergyModel
internal import Foundation

/// A journal that forgets with the process; for tests.
public actor InMemoryGuidanceJournal: GuidanceJournal {
    private let publisherID = UUID()
    private var epoch: JournalEpoch?
    private var entries: [(entry: NumberedEntry, written: Timestamp)] = []

    public init() {}

    public func begin(now: Timestamp) -> JournalEpoch {
        let next = max(UInt64(max(0, now.unixMilliseconds)), (epoch?.number ?? 0) + 1)
        let begun = JournalEpoch(publisherID: publisherID, number: next)
        (epoch, entries) = (begun, [])
        return begun
    }

    public func append(_ new: [NumberedEntry], at now: Timestamp) {
        let known = Set(entries.map(\.entry.number))
        entries += new.lazy.filter { !known.contains($0.number) }.map { ($0, now) }
        entries.sort { $0.entry.number < $1.entry.number }
    }

    public func entries(after position: JournalPosition?) -> JournalPage? {
        guard let epoch else { return nil }
        let last = position?.epoch == epoch ? position?.number ?? 0 : 0
        return JournalPage(epoch: epoch, entries: entries.map(\.entry).filter { $0.number > last })
    }

    public func forgetEntries(before: Timestamp) { entries.removeAll { $0.written < before } }
}
