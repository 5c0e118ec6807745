/// The newest entries of the index: a hash table whose slots are numbers of entries.
///
/// A key's upper bits say where its slot is looked for, as they say in which block of a run it is. So the table is nearly
/// sorted, and the entries of one block lie side by side.
struct MemoryRun {
    /// In the order they came.
    private(set) var entries: [IndexEntry] = []
    /// 0 is free; else the lower ``slotBits`` are the entry's number plus 1, and those above are bits of its key, so that
    /// the entry of another key is not looked at: it would have to come from memory. Twice as many slots as entries or
    /// more; a power of two.
    private var slots: [UInt32]
    private var slotBits: UInt64 { UInt64(slots.count.trailingZeroBitCount) }
    private var numberMask: UInt32 { UInt32(truncatingIfNeeded: slots.count - 1) }

    init(capacity: Int) {
        var size = 1024
        while size < capacity * 2 { size *= 2 }
        slots = Array(repeating: 0, count: size)
        entries.reserveCapacity(capacity)
    }

    func digest(of key: IndexKey) -> UInt64? {
        let (first, mask) = (Int(key.high >> (64 - slotBits)), numberMask)
        let tag = UInt32(truncatingIfNeeded: key.low) & ~mask
        return slots.withUnsafeBufferPointer { slots in
            entries.withUnsafeBufferPointer { entries in
                var place = first
                while slots[place] != 0 {
                    if slots[place] & ~mask == tag {
                        let entry = entries[Int(slots[place] & mask) - 1]
                        if entry.key == key { return entry.digest }
                    }
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
        let (first, mask) = (Int(key.high >> (64 - slotBits)), numberMask)
        let tag = UInt32(truncatingIfNeeded: key.low) & ~mask
        return slots.withUnsafeMutableBufferPointer { slots in
            entries.withUnsafeBufferPointer { entries in
                var place = first
                while slots[place] != 0 {
                    if slots[place] & ~mask == tag, entries[Int(slots[place] & mask) - 1].key == key { return false }
                    place = (place + 1) & (slots.count - 1)
                }
                slots[place] = UInt32(truncatingIfNeeded: number + 1) | tag
                return true
            }
        }
    }

    /// The entries of one of a run's blocks, in no order.
    ///
    /// - Precondition: there are at least as many slots as blocks.
    func entries(ofBlock block: Int, of run: IndexRun) -> [IndexEntry] {
        let width = slots.count / run.blockCount
        var found: [IndexEntry] = []
        var place = block * width
        // What found its slot taken lies further on, up to the next that is free.
        while place < (block + 1) * width || slots[place & (slots.count - 1)] != 0 {
            let slot = slots[place & (slots.count - 1)]
            place += 1
            guard slot != 0 else { continue }
            let entry = entries[Int(slot & numberMask) - 1]
            if run.block(of: entry.key) == block { found.append(entry) }
        }
        return found
    }
}
