internal import EnergyModel
internal import EnergyStore
internal import PostgreSQLStore
internal import SQLColumns
internal import SQLiteStore

/// Makes a table be as its source is: both are read in the order of their keys, side by side, and what differs is changed.
struct TableCopy {
    let table: StoredTable
    let source: SQLiteSource
    let target: PostgreSQLDestination
    /// The events of the log's records; `nil` for other tables.
    let events: LogEvents?

    private(set) var rows = 0
    private(set) var written = 0
    private(set) var removed = 0
    private var read: Pages
    private var found: Pages

    init(_ table: StoredTable, _ source: SQLiteSource, _ target: PostgreSQLDestination, events: LogEvents?) {
        (self.table, self.source, self.target, self.events) = (table, source, target, events)
        read = Pages(of: table)
        found = Pages(of: table)
    }

    /// - Parameter tell: hears of each page how many rows it had.
    /// - Throws: `.dataLoss` for a record that is not as it was written.
    mutating func run(tell: (Int) -> Void) async throws(EnergyError) {
        while let differences = try await next(tell) {
            try await change(differences)
            written += differences.count { $0.new != nil }
            removed += differences.count { $0.new == nil }
        }
    }

    /// Compares only.
    ///
    /// - Parameter digest: takes up what the source has.
    /// - Returns: how many rows are not as they should be.
    mutating func compare(
        adding digest: inout ContentDigest, tell: (Int) -> Void
    ) async throws(EnergyError) -> Int {
        digest.begin(table)
        var (count, rowsBefore) = (0, rows)
        while true {
            let differences = try await next(tell)
            count += differences?.count ?? 0
            // Also when this was the end: the last page of records that do not differ has events too.
            if rows > rowsBefore {
                rowsBefore = rows
                digest.add(read.page)
                if let events {
                    count += try await target.countMissing(events.known(in: read.page), in: events.table)
                }
            }
            guard differences != nil else { return count }
        }
    }

    /// - Returns: the differences of one page of the source, or of the target behind the source's end; `nil` at the end of
    ///   both.
    private mutating func next(_ tell: (Int) -> Void) async throws(EnergyError) -> [Difference]? {
        if read.isUsedUp, !read.isAtEnd {
            let page = try await source.rows(of: table, after: read.lastKey)
            read.take(page)
            rows += page.count
            tell(page.count)
        }
        var differences: [Difference] = []
        repeat {
            if found.isUsedUp, !found.isAtEnd {
                found.take(try await target.rows(of: table, after: found.lastKey))
            }
            merge(into: &differences)
        } while found.isUsedUp && !found.isAtEnd && differences.count < table.rowsPerPage
        return differences.isEmpty && read.isDone && found.isDone ? nil : differences
    }

    /// Until one side has no more rows at hand, though there may be some.
    private mutating func merge(into differences: inout [Difference]) {
        while true {
            switch (read.row, found.row) {
            case (let new?, let old?):
                if Self.precedes(new, old, table.keyCount) {
                    differences.append(Difference(old: nil, new: new))
                    read.advance()
                } else if Self.precedes(old, new, table.keyCount) {
                    differences.append(Difference(old: old, new: nil))
                    found.advance()
                } else {
                    if !new.elementsEqual(old, by: ColumnValue.isSame) {
                        differences.append(Difference(old: old, new: new))
                    }
                    read.advance()
                    found.advance()
                }
            case (let new?, nil) where found.isAtEnd:
                differences.append(Difference(old: nil, new: new))
                read.advance()
            case (nil, let old?) where read.isAtEnd:
                differences.append(Difference(old: old, new: nil))
                found.advance()
            default: return
            }
        }
    }

    private static func precedes(_ first: StoredRow, _ second: StoredRow, _ keyCount: Int) -> Bool {
        for (first, second) in zip(first.prefix(keyCount), second) where !ColumnValue.isSame(first, second) {
            return ColumnValue.precedes(first, second)
        }
        return false
    }

    private func change(_ differences: [Difference]) async throws(EnergyError) {
        guard !differences.isEmpty else { return }
        // Before the records that they are of: a record that is there says that they are.
        if let events { try await target.apply(events.changes(for: differences), to: events.table) }
        let changes = differences.compactMap { difference in
            difference.new.map(RowChange.put) ?? difference.old.map { .remove($0.prefix(table.keyCount)) }
        }
        try await target.apply(changes, to: table)
    }
}

/// A row as it is in the target, and as it is to be; one of them at least.
struct Difference {
    let old: StoredRow?
    let new: StoredRow?
}

/// The rows of a table on one side, page after page.
struct Pages {
    private let table: StoredTable
    private(set) var page: [StoredRow] = []
    private(set) var isAtEnd = false
    private(set) var lastKey: ArraySlice<ColumnValue>?
    private var place = 0

    init(of table: StoredTable) { self.table = table }

    var row: StoredRow? { place < page.count ? page[place] : nil }
    var isUsedUp: Bool { place >= page.count }
    var isDone: Bool { isUsedUp && isAtEnd }

    mutating func advance() { place += 1 }

    /// - Parameter page: what follows ``lastKey``; the last one has fewer rows than a page may have.
    mutating func take(_ page: [StoredRow]) {
        (self.page, isAtEnd, place) = (page, page.count < table.rowsPerPage, 0)
        if let last = page.last { lastKey = last.prefix(table.keyCount) }
    }
}
