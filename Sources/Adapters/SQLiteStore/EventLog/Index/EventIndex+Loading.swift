internal import Foundation
internal import GRDB

extension EventIndex {
    /// Reads what lives in memory: the tail, at most about two generations, and the filters.
    func load(_ connection: Database) throws {
        (frozen, merge, runs, dropped, fresh) = (nil, nil, [], [], [])
        active = MemoryRun(capacity: generation)
        newestActive = 0
        try loadRuns(connection)
        tailEnd = try Int64.fetchOne(connection, sql: "SELECT max(tail_end) FROM event_run WHERE state = 1")
        let tail = try Row.fetchCursor(
            connection, sql: "SELECT newest_ms, entries FROM event_tail WHERE number > ? ORDER BY number",
            arguments: [tailEnd ?? 0])
        while let row = try tail.next() {
            newestActive = max(newestActive, row[0])
            try row.withUnsafeData(atIndex: 1) { data in
                data?.withUnsafeBytes { IndexEntry.decode($0) { _ = active.insert($0) } }
            }
        }
    }

    private func loadRuns(_ connection: Database) throws {
        nextRunID = (try Int64.fetchOne(connection, sql: "SELECT max(id) FROM event_run") ?? 0) + 1
        let rows = try Row.fetchCursor(
            connection, sql: "SELECT id, state, level, bits, count, newest_ms, filter FROM event_run ORDER BY id")
        while let row = try rows.next() {
            var run = IndexRun(
                id: row[0], level: row[2], bits: min(max(1, row[3]), 24), count: row[4], newestUnixMilliseconds: row[5])
            if IndexRun.State(rawValue: row[1]) == .complete {
                run.filter = try row.withUnsafeData(atIndex: 6) { $0.flatMap { RunFilter($0) } }
                runs.append(run)
            } else {
                // A run that was not finished is written again, from the tail or from what it was merged of.
                dropped.append((run, 0))
            }
        }
        limitFilters()
    }
}
