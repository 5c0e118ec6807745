/// Remembers at least the `countMax / 2` keys used last, and never more than `countMax`.
///
/// Two generations instead of a list: what is used moves to the young one; when that is full, the old one is dropped.
struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let generationMax: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    init(countMax: Int) { generationMax = max(1, countMax / 2) }

    var count: Int { young.count + old.count }

    /// Without counting as use.
    func peek(_ key: Key) -> Value? { young[key] ?? old[key] }

    mutating func value(_ key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old.removeValue(forKey: key) else { return nil }
        set(key, value)
        return value
    }

    mutating func remove(where isRemoved: (Key, Value) -> Bool) {
        young = young.filter { !isRemoved($0.key, $0.value) }
        old = old.filter { !isRemoved($0.key, $0.value) }
    }

    mutating func set(_ key: Key, _ value: Value) {
        old.removeValue(forKey: key)
        if young[key] == nil && young.count >= generationMax {
            old = young
            young = [:]
        }
        young[key] = value
    }
}
