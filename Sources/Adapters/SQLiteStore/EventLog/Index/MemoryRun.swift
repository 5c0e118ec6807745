/// The newest entries of the index, in the order they came: a hash table whose slots are numbers of entries.
struct MemoryRun {
    private(set) var entries: [IndexEntry] = []
    /// 0 is free, n is entry n - 1. Twice as many slots as entries or more; a power of two.
    private var slots: [UInt32]

    init(capacity: Int) {
        var size = 1024
        while size < capacity * 2 { size *= 2 }
        slots = Array(repeating: 0, count: size)
        entries.reserveCapacity(capacity)
    }

    func digest(of key: IndexKey) -> UInt64? {
        slots.withUnsafeBufferPointer { slots in
            entries.withUnsafeBufferPointer { entries in
                var place = Int(truncatingIfNeeded: key.low) & (slots.count - 1)
                while slots[place] != 0 {
                    let entry = entries[Int(slots[place]) - 1]
                    if entry.key == key { return entry.digest }
                    place = (place + 1) & (slots.count - 1)
                }
                return nil
            }
        }
    }

    /// - Returns: whether it is new; if not, nothing has changed.
    mutating func insert(_ entry: IndexEntry) -> Bool {
        if (entries.count + 1) * 2 > slots.count {
            slots = Array(repeating: 0, count: slots.count * 2)
            for number in entries.indices { _ = link(entries[number].key, to: number) }
        }
        guard link(entry.key, to: entries.count) else { return false }
        entries.append(entry)
        return true
    }

    private mutating func link(_ key: IndexKey, to number: Int) -> Bool {
        slots.withUnsafeMutableBufferPointer { slots in
            entries.withUnsafeBufferPointer { entries in
                var place = Int(truncatingIfNeeded: key.low) & (slots.count - 1)
                while slots[place] != 0 {
                    if entries[Int(slots[place]) - 1].key == key { return false }
                    place = (place + 1) & (slots.count - 1)
                }
                slots[place] = UInt32(truncatingIfNeeded: number + 1)
                return true
            }
        }
    }
}
