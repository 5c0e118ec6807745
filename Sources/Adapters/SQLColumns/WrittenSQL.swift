internal import Synchronization

/// The text of statements that write rows: to put it together for each row takes as long as to run it.
enum WrittenSQL {
    private struct Key: Hashable {
        let table: String
        let names: [String]
        let key: [String]?
        let mark: ValueMark

        // A table is written in one or two ways: the rest need not be hashed.
        func hash(into hasher: inout Hasher) { hasher.combine(table) }
    }

    private static let texts = Mutex<[Key: String]>([:])

    /// - Parameters:
    ///   - key: of an upsert.
    ///   - write: makes the text, the first time.
    static func text(
        _ table: String, _ names: [String], key: [String]? = nil, _ mark: ValueMark, write: () -> String
    ) -> String {
        let place = Key(table: table, names: names, key: key, mark: mark)
        if let text = texts.withLock({ $0[place] }) { return text }
        let text = write()
        texts.withLock { $0[place] = text }
        return text
    }
}
