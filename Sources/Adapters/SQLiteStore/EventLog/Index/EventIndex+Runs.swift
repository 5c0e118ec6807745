internal import Foundation
internal import GRDB

/// The last generation, on its way to disk.
struct FrozenRun {
    let memory: MemoryRun
    let run: IndexRun
    /// Grouped by block; `starts[b]..<starts[b + 1]` are those of block b.
    let entries: [IndexEntry]
    let starts: [Int]
    let filter: RunFilter
    /// The newest row of the tail that these entries came from.
    let tailEnd: Int64
    var nextBlock = 0
}

extension EventIndex {
    /// Entries of a block, on average: together they fill most of a page.
    private static let blockEntries = 128

    func freeze(_ connection: Database) throws {
        let memory = active
        let run = try createRun(
            level: 0, bits: Self.bits(generation), count: memory.entries.count, newest: newestActive, connection)
        let (entries, starts) = Self.grouped(memory.entries, by: run)
        var filter = RunFilter(keyCount: entries.count)
        for entry in entries { filter.insert(entry.key) }
        frozen = FrozenRun(
            memory: memory, run: run, entries: entries, starts: starts, filter: filter,
            tailEnd: try Int64.fetchOne(connection, sql: "SELECT max(number) FROM event_tail") ?? 0)
        active = MemoryRun(capacity: generation)
    }

    static func bits(_ count: Int) -> Int {
        var bits = 1
        while blockEntries << (bits + 1) <= count { bits += 1 }
        return bits
    }

    private static func grouped(_ entries: [IndexEntry], by run: IndexRun) -> (entries: [IndexEntry], starts: [Int]) {
        var starts = [Int](repeating: 0, count: run.blockCount + 1)
        for entry in entries { starts[run.block(of: entry.key) + 1] += 1 }
        for block in 0..<run.blockCount { starts[block + 1] += starts[block] }
        var (next, grouped) = (starts, entries)
        for entry in entries {
            let block = run.block(of: entry.key)
            grouped[next[block]] = entry
            next[block] += 1
        }
        return (grouped, starts)
    }

    func writeFrozen(blocks: Int, _ connection: Database) throws {
        guard let frozen else { return }
        let end = min(frozen.nextBlock + blocks, frozen.run.blockCount)
        for block in frozen.nextBlock..<end {
            try write(frozen.entries[frozen.starts[block]..<frozen.starts[block + 1]], frozen.run, block, connection)
        }
        self.frozen?.nextBlock = end
        guard end == frozen.run.blockCount else { return }
        try complete(frozen.run, frozen.filter, connection)
        try connection.execute(sql: "DELETE FROM event_tail WHERE number <= ?", arguments: [frozen.tailEnd])
        self.frozen = nil
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
            if bytes > Self.filterBytesMax { runs[place].filter = nil }
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
