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

    mutating func insert(_ entry: IndexEntry) {
        entries.append(entry)
        if entries.count * 2 > slots.count {
            slots = Array(repeating: 0, count: slots.count * 2)
            for number in entries.indices { link(number) }
        } else {
            link(entries.count - 1)
        }
    }

    private mutating func link(_ number: Int) {
        let low = entries[number].key.low
        slots.withUnsafeMutableBufferPointer { slots in
            var place = Int(truncatingIfNeeded: low) & (slots.count - 1)
            while slots[place] != 0 { place = (place + 1) & (slots.count - 1) }
            slots[place] = UInt32(truncatingIfNeeded: number + 1)
        }
    }
}
