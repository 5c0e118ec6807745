internal import EnergyModel
internal import Foundation
internal import GRDB

/// Remembers which events the log holds.
///
/// Ids are random, so that one B-tree of them would touch a page of the file for every event. Instead the newest entries
/// are in memory, and on disk in the order they came (`event_tail`); when there are ``generation`` of them they become a
/// sorted run, a few blocks with each transaction; runs are merged, eight into one, likewise. A filter in memory per run
/// says of nearly every new event that the run does not have it, so that nothing is read.
///
/// Used on the queue of the file's only writer, where transactions run one after another: GRDB's promise, which the
/// compiler cannot see, hence `@unchecked`. What a transaction changed here is on disk with that
/// transaction; after one that failed, everything is read from disk again. What is touched for every event is spared the
/// check that nobody else does so at the same time.
final class EventIndex: @unchecked Sendable {
    static let generation = 1 << 17
    static let fanOut = 8
    /// Of all filters together: those of about 13 million events. Older runs do without.
    static let filterBytesMax = 16 << 20
    /// Events are known for at least this long after they were received.
    static let rememberedMilliseconds: Int64 = 35 * 86_400_000

    let generation: Int
    let filterBytesMax: Int
    /// Whether what is here is what is on disk; not within a transaction.
    var isLoaded = false
    @exclusivity(unchecked) var active: MemoryRun
    var newestActive: Int64 = 0
    /// What this transaction has added and not yet written to the tail.
    @exclusivity(unchecked) var fresh: [IndexEntry] = []
    @exclusivity(unchecked) var frozen: FrozenRun?
    @exclusivity(unchecked) var runs: [IndexRun] = []
    /// The newest row of the tail whose entries are in a run; `nil` when they are removed.
    var tailEnd: Int64?
    var merge: RunMerge?
    /// Runs whose blocks are being removed, with the next block.
    var dropped: [(run: IndexRun, next: Int)] = []
    var nextRunID: Int64 = 1
    /// About as many as the transaction adds to the write-ahead log.
    private var writtenBytes = 0

    /// - Parameters:
    ///   - generation: entries that are kept in memory before they become a run; fewer only in tests.
    ///   - filterBytesMax: less only in tests.
    init(generation: Int = EventIndex.generation, filterBytesMax: Int = EventIndex.filterBytesMax) {
        self.generation = generation
        self.filterBytesMax = filterBytesMax
        active = MemoryRun(capacity: 0)
    }

    /// Begins a transaction. If it fails, what was learned in it is forgotten.
    func begin(_ connection: Database) throws {
        if !isLoaded { try load(connection) }
        // Loaded again unless ``committed()`` says otherwise: a full disk ends a transaction without any word of it.
        isLoaded = false
    }

    /// The transaction is on disk, and with it what it changed here.
    func committed() { isLoaded = true }

    func digest(of key: IndexKey, _ connection: Database) throws -> UInt64? {
        if let digest = active.digest(of: key) ?? frozen?.memory.digest(of: key) { return digest }
        for run in runs.reversed() where run.filter?.mayContain(key) ?? true {
            let statement = try connection.cachedStatement(sql: "SELECT entries FROM event_block WHERE place = ?")
            let digest = try Row.fetchOne(statement, arguments: [run.place(ofBlock: run.block(of: key))])?
                .withUnsafeData(atIndex: 0) { data in
                    data?.withUnsafeBytes { IndexEntry.digest(of: key, in: $0) } ?? nil
                }
            if let digest { return digest }
        }
        return nil
    }

    /// - Precondition: the log did not have the key before this transaction.
    /// - Returns: `false` for a key that this transaction has added already.
    func insert(_ entry: IndexEntry, receivedUnixMilliseconds: Int64) -> Bool {
        guard active.insert(entry) else { return false }
        fresh.append(entry)
        newestActive = max(newestActive, receivedUnixMilliseconds)
        return true
    }

    func wrote(bytes: Int) { writtenBytes += bytes }

    func takeWrittenBytes() -> Int {
        defer { writtenBytes = 0 }
        return writtenBytes
    }

    /// Ends a transaction: writes what it added, and does its share of the housekeeping.
    func finish(_ connection: Database) throws {
        guard !fresh.isEmpty else { return }
        try connection.cachedStatement(sql: "INSERT INTO event_tail (newest_ms, entries) VALUES (?, ?)")
            .execute(arguments: [newestActive, IndexEntry.encode(fresh)])
        let added = fresh.count
        // Itself, its block, and what merging writes again.
        wrote(bytes: added * IndexEntry.byteCount * 4)
        fresh.removeAll(keepingCapacity: true)
        try keepHouse(added, connection)
    }

    /// Work in proportion to what was added, so that no transaction takes long and the runs keep up.
    private func keepHouse(_ added: Int, _ connection: Database) throws {
        if active.entries.count >= generation && frozen == nil { try freeze(connection) }
        if frozen != nil { try writeFrozen(blocks: added / 32 + 1, connection) }
        if merge == nil { try beginMerge(connection) }
        if merge != nil { try continueMerge(entries: added * 4 + 256, connection) }
        if tailEnd != nil { try trimTail(rows: added / 16 + 8, connection) }
        if !dropped.isEmpty { try removeDropped(blocks: added / 8 + 8, connection) }
    }
}
