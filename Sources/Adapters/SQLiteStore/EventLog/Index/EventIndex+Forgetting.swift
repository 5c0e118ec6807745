internal import Foundation
internal import GRDB

extension EventIndex {
    /// Forgets events for good: their ids may come again. Filters may still hold them, which costs a look in vain.
    func forget(_ keys: Set<IndexKey>, _ connection: Database) throws {
        guard !keys.isEmpty else { return }
        try forgetInTail(keys, connection)
        let runs = try Row.fetchAll(connection, sql: "SELECT id, bits FROM event_run")
        for row in runs {
            let run = IndexRun(id: row[0], level: 0, bits: min(max(1, row[1]), 24), count: 0, newestUnixMilliseconds: 0)
            for (block, keys) in Dictionary(grouping: keys, by: run.block(of:)) {
                try forget(Set(keys), inBlock: run.place(ofBlock: block), connection)
            }
        }
        // What is in memory, and runs that are on their way to disk, are made anew from what is there.
        try load(connection)
    }

    private func forgetInTail(_ keys: Set<IndexKey>, _ connection: Database) throws {
        var changed: [(number: Int64, entries: Data)] = []
        let rows = try Row.fetchCursor(connection, sql: "SELECT number, entries FROM event_tail")
        while let row = try rows.next() {
            guard let entries = Self.without(keys, row[1]) else { continue }
            changed.append((row[0], entries))
        }
        for (number, entries) in changed {
            // Also one that is left with none: no number must come again.
            try connection.execute(
                sql: "UPDATE event_tail SET entries = ? WHERE number = ?", arguments: [entries, number])
        }
    }

    private func forget(_ keys: Set<IndexKey>, inBlock place: Int64, _ connection: Database) throws {
        let block = try Data.fetchOne(
            connection.cachedStatement(sql: "SELECT entries FROM event_block WHERE place = ?"), arguments: [place])
        guard let block, let entries = Self.without(keys, block) else { return }
        try connection.cachedStatement(sql: "UPDATE event_block SET entries = ? WHERE place = ?")
            .execute(arguments: [entries, place])
    }

    /// - Returns: `nil` when none of them is there.
    private static func without(_ keys: Set<IndexKey>, _ data: Data) -> Data? {
        var (kept, count) = ([IndexEntry](), 0)
        data.withUnsafeBytes { bytes in
            IndexEntry.decode(bytes) { entry in
                count += 1
                if !keys.contains(entry.key) { kept.append(entry) }
            }
        }
        return kept.count == count ? nil : IndexEntry.encode(kept)
    }
}
