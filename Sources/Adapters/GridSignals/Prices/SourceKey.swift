internal import EnergyModel

/// A key, as it goes into a header or a query. Never shown.
enum SourceKey {
    /// - Parameter what: for people, for example `Tibber's token`.
    /// - Throws: ``EnergyError`` `.invalidInput` unless it is 1 to 4096 printable ASCII characters without spaces.
    static func checked(_ key: String, _ what: String) throws(EnergyError) -> String {
        guard 1...4096 ~= key.utf8.count, key.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw .setting(
                "key", "\(what) is missing, or has spaces, line ends or other letters than ASCII")
        }
        return key
    }
}
