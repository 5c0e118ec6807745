import EnergyModel
package import EnergyStore
import Foundation
import Testing

/// What every journal does, wherever it keeps its entries.
package enum GuidanceJournalConformance {
    package struct Check: Sendable, CustomTestStringConvertible {
        package let testDescription: String
        package let run: @Sendable (any GuidanceJournal) async throws -> Void
    }

    package static let checks = [
        Check(testDescription: "nobody has led before the first", run: nobody),
        Check(testDescription: "entries come back as they were, in order, after a position", run: entries),
        Check(testDescription: "what is written again is there once", run: again),
        Check(testDescription: "a new epoch is later, and begins empty", run: epochs),
        Check(testDescription: "what is old is forgotten, and numbers go on", run: forgetting),
    ]

    private static let start = Timestamp(unixMilliseconds: 1_790_000_000_000)

    private static func numbered(_ entries: [JournalEntry], from first: UInt64 = 1) -> [NumberedEntry] {
        entries.enumerated().map { NumberedEntry(number: first + UInt64($0), entry: $1) }
    }

    private static func nobody(_ journal: any GuidanceJournal) async throws {
        #expect(try await journal.entries(after: nil) == nil)
        let epoch = try await journal.begin(now: start)
        #expect(try await journal.entries(after: nil) == JournalPage(epoch: epoch, entries: []))
    }

    private static func entries(_ journal: any GuidanceJournal) async throws {
        let epoch = try await journal.begin(now: start)
        let venues = (0..<300).map { PublishedVenue(id: UUID(), sequence: UInt32.max - $0) }
        let all = numbered([
            .venue(UUID()), .erasure(UUID()), .ratePlan("Ä plan"), .demandResponse,
            .guidance(PublishedGuidance(document: [0, 255, 7], venues: venues)),
            .guidance(PublishedGuidance(document: [], venues: [])),
        ])
        try await journal.append(Array(all.prefix(2)), at: start)
        try await journal.append(Array(all.dropFirst(2)), at: start)
        #expect(try await journal.entries(after: nil) == JournalPage(epoch: epoch, entries: all))
        let third = JournalPosition(epoch: epoch, number: 3)
        #expect(try await journal.entries(after: third)?.entries == Array(all.dropFirst(3)))
        #expect(try await journal.entries(after: JournalPosition(epoch: epoch, number: 6))?.entries == [])
        // Many are read page by page.
        let many = numbered(Array(repeating: .demandResponse, count: 200), from: 7)
        try await journal.append(many, at: start)
        var (found, position) = ([NumberedEntry](), JournalPosition(epoch: epoch, number: 6))
        while let page = try await journal.entries(after: position), let last = page.entries.last {
            found += page.entries
            position = JournalPosition(epoch: page.epoch, number: last.number)
        }
        #expect(found == many)
    }

    private static func again(_ journal: any GuidanceJournal) async throws {
        _ = try await journal.begin(now: start)
        let written = numbered([.ratePlan("A"), .ratePlan("B")])
        for _ in 0..<2 { try await journal.append(written, at: start) }
        #expect(try await journal.entries(after: nil)?.entries == written)
    }

    private static func epochs(_ journal: any GuidanceJournal) async throws {
        let first = try await journal.begin(now: start)
        #expect(first.number >= UInt64(start.unixMilliseconds))
        try await journal.append(numbered([.ratePlan("A")]), at: start)
        // Also by a clock that is behind.
        let second = try await journal.begin(now: start.advanced(byMilliseconds: -5_000))
        #expect(second.publisherID == first.publisherID)
        #expect(second.number > first.number)
        #expect(try await journal.entries(after: nil)?.entries == [])
        let entries = numbered([.ratePlan("B")])
        try await journal.append(entries, at: start)
        let old = JournalPosition(epoch: first, number: 1)
        #expect(try await journal.entries(after: old) == JournalPage(epoch: second, entries: entries))
    }

    private static func forgetting(_ journal: any GuidanceJournal) async throws {
        _ = try await journal.begin(now: start)
        let later = start.advanced(byMilliseconds: 1_000)
        try await journal.append(numbered([.ratePlan("A")]), at: start)
        try await journal.append(numbered([.ratePlan("B")], from: 2), at: later)
        try await journal.forgetEntries(before: later)
        #expect(try await journal.entries(after: nil)?.entries == numbered([.ratePlan("B")], from: 2))
    }
}
