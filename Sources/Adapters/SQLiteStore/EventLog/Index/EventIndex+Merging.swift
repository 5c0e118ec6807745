internal import Foundation
internal import GRDB

/// Runs of one level on their way to be one of the next.
struct RunMerge {
    let sources: [IndexRun]
    let target: IndexRun
    var filter: RunFilter
    /// Of the sources.
    var nextBlock = 0
}

extension EventIndex {
    /// A target's block holds as much as a source's: there are as many times more of them as sources.
    private static let addedBits = 3

    func beginMerge(_ connection: Database) throws {
        let levels = Dictionary(grouping: runs, by: \.level)
        for (level, candidates) in levels.sorted(by: { $0.key < $1.key }) {
            // Runs that were written with another size of memory do not match: they are merged with their like.
            for (bits, like) in Dictionary(grouping: candidates, by: \.bits) where like.count >= Self.fanOut {
                let sources = Array(like.sorted { $0.id < $1.id }.prefix(Self.fanOut))
                guard bits + Self.addedBits <= 24 else { continue }
                let count = sources.reduce(0) { $0 + $1.count }
                let target = try createRun(
                    level: level + 1, bits: bits + Self.addedBits, count: count,
                    newest: sources.map(\.newestUnixMilliseconds).max() ?? 0, connection)
                merge = RunMerge(sources: sources, target: target, filter: RunFilter(keyCount: count))
                return
            }
        }
    }

    func continueMerge(entries: Int, _ connection: Database) throws {
        // Taken out: a second reference would make every change of its filter copy it.
        guard var merge = merge.take() else { return }
        var budget = entries
        while budget > 0 {
            guard merge.nextBlock < (merge.sources.first?.blockCount ?? 0) else {
                for source in merge.sources { try drop(source, connection) }
                return try complete(merge.target, merge.filter, connection)
            }
            budget -= try mergeBlock(&merge, connection)
        }
        self.merge = merge
    }

    /// - Returns: about the work it was.
    private func mergeBlock(_ merge: inout RunMerge, _ connection: Database) throws -> Int {
        let (target, block) = (merge.target, merge.nextBlock)
        merge.nextBlock += 1
        let parts = 1 << Self.addedBits
        var entries = [[IndexEntry]](repeating: [], count: parts)
        var count = 0
        let statement = try connection.cachedStatement(sql: "SELECT entries FROM event_block WHERE place = ?")
        for source in merge.sources {
            try Row.fetchOne(statement, arguments: [source.place(ofBlock: block)])?.withUnsafeData(atIndex: 0) { data in
                data?.withUnsafeBytes { bytes in
                    IndexEntry.decode(bytes) { entry in
                        entries[target.block(of: entry.key) & (parts - 1)].append(entry)
                        merge.filter.insert(entry.key)
                        count += 1
                    }
                }
            }
        }
        for (part, entries) in entries.enumerated() {
            try write(entries, target, block * parts + part, connection)
        }
        return count + 16
    }
}
