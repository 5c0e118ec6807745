/// The states that all loads together can be in after a slot, each with the cheapest way into it.
struct JointStates {
    /// Each load's state.
    typealias Key = SIMD8<UInt32>

    struct Label {
        var key: Key
        /// Of the way into it.
        var cost: Double
        /// No plan that goes this way costs less.
        var bound: Double
        /// Where the state before is in its own slot's labels.
        var parent: Int32
    }

    private(set) var labels: [Label] = []
    /// Where each state is in the labels, by open addressing; -1 is free.
    private var places: [Int32] = Array(repeating: -1, count: 256)
    private var used: [Int] = []

    mutating func removeAll() {
        for place in used { places[place] = -1 }
        used.removeAll(keepingCapacity: true)
        labels.removeAll(keepingCapacity: true)
    }

    /// Keeps the cheaper of two ways into a state.
    mutating func insert(_ label: Label) {
        if used.count * 2 >= places.count { grow() }
        let place = place(of: label.key)
        let index = Int(places[place])
        if index < 0 {
            places[place] = Int32(labels.count)
            used.append(place)
            labels.append(label)
        } else if label.cost < labels[index].cost {
            labels[index] = label
        }
    }

    /// Drops all but the most promising, which stay in their order.
    ///
    /// - Returns: whether there were more. Nothing may be inserted afterwards.
    mutating func keep(_ width: Int) -> Bool {
        guard labels.count > width else { return false }
        let worst = labels.map(\.bound).sorted()[width - 1]
        var equal = width - labels.count { $0.bound < worst }
        labels.removeAll { label in
            guard label.bound == worst else { return label.bound > worst }
            equal -= 1
            return equal < 0
        }
        return true
    }

    private func place(of key: Key) -> Int {
        var place = Self.hash(key) & (places.count - 1)
        while places[place] >= 0, labels[Int(places[place])].key != key { place = (place + 1) & (places.count - 1) }
        return place
    }

    private mutating func grow() {
        places = Array(repeating: -1, count: places.count * 4)
        used.removeAll(keepingCapacity: true)
        for (index, label) in labels.enumerated() {
            let place = place(of: label.key)
            places[place] = Int32(index)
            used.append(place)
        }
    }

    private static let factors = Key(
        0x9E37_79B1, 0x85EB_CA77, 0xC2B2_AE3D, 0x27D4_EB2F, 0x1656_67B1, 0xCC9E_2D51, 0x1B87_3593, 0xE654_6B65)

    private static func hash(_ key: Key) -> Int {
        let mixed = (key ^ (key &>> 15)) &* factors
        let sum = UInt64((mixed ^ (mixed &>> 13)).wrappedSum()) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: sum >> 32)
    }
}
