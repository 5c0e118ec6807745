internal import Foundation
internal import GRDB

/// The last generation, on its way to disk.
struct FrozenRun {
    let memory: MemoryRun
    let run: IndexRun
    /// Of the blocks that are written.
    var filter: RunFilter
    /// The newest row of the tail that these entries came from.
    let tailEnd: Int64
    var nextBlock = 0
}

extension EventIndex {
    /// Entries of a block, on average: together they fill most of a page.
    private static let blockEntries = 128

    func freeze(_ connection: Database) throws {
        let count = active.entries.count
        frozen = FrozenRun(
            memory: active,
            run: try createRun(
                level: 0, bits: Self.bits(generation), count: count, newest: newestActive, connection),
            filter: RunFilter(keyCount: count),
            tailEnd: try Int64.fetchOne(connection, sql: "SELECT max(number) FROM event_tail") ?? 0)
        active = MemoryRun(capacity: generation)
    }

    static func bits(_ count: Int) -> Int {
        var bits = 1
        while blockEntries << (bits + 1) <= count { bits += 1 }
        return bits
    }

    func writeFrozen(blocks: Int, _ connection: Database) throws {
        // Taken out: a second reference would make every change of its filter copy it.
        guard var frozen = frozen.take() else { return }
        let end = min(frozen.nextBlock + blocks, frozen.run.blockCount)
        for block in frozen.nextBlock..<end {
            let entries = frozen.memory.entries(ofBlock: block, of: frozen.run)
            for entry in entries { frozen.filter.insert(entry.key) }
            try write(entries, frozen.run, block, connection)
        }
        frozen.nextBlock = end
        guard end == frozen.run.blockCount else {
            self.frozen = frozen
            return
        }
        try connection.execute(
            sql: "UPDATE event_run SET tail_end = ? WHERE id = ?", arguments: [frozen.tailEnd, frozen.run.id])
        try complete(frozen.run, frozen.filter, connection)
        tailEnd = frozen.tailEnd
    }

    /// Removes rows of the tail whose entries are in runs; not the newest of them, so that no number comes again.
    func trimTail(rows: Int, _ connection: Database) throws {
        guard let tailEnd else { return }
        let first = try Int64.fetchOne(connection, sql: "SELECT min(number) FROM event_tail") ?? .max
        let last = min(first.addingReportingOverflow(Int64(rows)).partialValue, tailEnd - 1)
        guard first <= last else {
            self.tailEnd = nil
            return
        }
        try connection.cachedStatement(sql: "DELETE FROM event_tail WHERE number <= ?").execute(arguments: [last])
    }

    func write(
        _ entries: some Collection<IndexEntry>, _ run: IndexRun, _ block: Int, _ connection: Database
    ) throws {
        guard !entries.isEmpty else { return }
        let sorted = entries.sorted { $0.key < $1.key }
        try connection.cachedStatement(sql: "INSERT INTO event_block (place, entries) VALUES (?, ?)")
            .execute(arguments: [run.place(ofBlock: block), IndexEntry.encode(sorted)])
    }

    func createRun(level: Int, bits: Int, count: Int, newest: Int64, _ connection: Database) throws -> IndexRun {
        let run = IndexRun(id: nextRunID, level: level, bits: bits, count: count, newestUnixMilliseconds: newest)
        nextRunID += 1
        try connection.execute(
            sql: "INSERT INTO event_run (id, state, level, bits, count, newest_ms) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [run.id, IndexRun.State.building.rawValue, level, bits, count, newest])
        return run
    }

    func complete(_ run: IndexRun, _ filter: RunFilter, _ connection: Database) throws {
        try connection.execute(
            sql: "UPDATE event_run SET state = ?, filter = ? WHERE id = ?",
            arguments: [IndexRun.State.complete.rawValue, filter.bytes, run.id])
        var complete = run
        complete.filter = filter
        runs.append(complete)
        limitFilters()
        try dropExpired(after: run.newestUnixMilliseconds, connection)
    }

    /// The newest runs keep theirs: they are the smallest.
    func limitFilters() {
        runs.sort { ($0.newestUnixMilliseconds, $0.id) < ($1.newestUnixMilliseconds, $1.id) }
        var bytes = 0
        for place in runs.indices.reversed() {
            bytes += runs[place].filter?.byteCount ?? 0
            if bytes > filterBytesMax { runs[place].filter = nil }
        }
    }

    private func dropExpired(after newest: Int64, _ connection: Database) throws {
        let merging = Set(merge?.sources.map(\.id) ?? [])
        for run in runs
        where run.newestUnixMilliseconds < newest - Self.rememberedMilliseconds && !merging.contains(run.id) {
            try drop(run, connection)
        }
    }

    func drop(_ run: IndexRun, _ connection: Database) throws {
        try connection.execute(
            sql: "UPDATE event_run SET state = ?, filter = NULL WHERE id = ?",
            arguments: [IndexRun.State.dropped.rawValue, run.id])
        runs.removeAll { $0.id == run.id }
        dropped.append((run, 0))
    }

    func removeDropped(blocks: Int, _ connection: Database) throws {
        guard let (run, next) = dropped.first else { return }
        let end = min(next + blocks, run.blockCount)
        try connection.execute(
            sql: "DELETE FROM event_block WHERE place BETWEEN ? AND ?",
            arguments: [run.place(ofBlock: next), run.place(ofBlock: end - 1)])
        if end < run.blockCount {
            dropped[0].next = end
        } else {
            try connection.execute(sql: "DELETE FROM event_run WHERE id = ?", arguments: [run.id])
            dropped.removeFirst()
        }
    }
}
