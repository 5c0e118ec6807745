/// Puts the publications of one topic in order and finds out what is missing.
struct TopicTracker {
    /// The newest publication that was delivered or passed over; everything up to it is settled.
    private(set) var settled: UInt64
    /// The newest publication that is known to exist.
    private(set) var head: UInt64
    /// Publications beyond a gap.
    private var pending: [UInt64: Publication] = [:]
    /// What was published before this moment (the publisher's clock) came before joining and is not delivered.
    private let firstUnixMs: Int64
    var isFetching = false

    init(settled: UInt64, firstUnixMs: Int64 = .min) {
        self.settled = settled
        head = settled
        self.firstUnixMs = firstUnixMs
    }

    var hasGap: Bool { head > settled }

    /// - Returns: the publications that are now in order; `nil` for a duplicate.
    mutating func receive(
        _ publication: Publication, publishedUnixMs: Int64, pendingMax: Int
    ) -> [Publication]? {
        let sequence = publication.sequence
        guard sequence > settled, pending[sequence] == nil else { return nil }
        head = max(head, sequence)
        guard sequence == settled + 1 else {
            // What finds no room is fetched later, with what is missing.
            if pending.count < pendingMax { pending[sequence] = publication }
            return []
        }
        settled = sequence
        return (publishedUnixMs >= firstUnixMs ? [publication] : []) + takePending()
    }

    mutating func learn(head newest: UInt64) { head = max(head, newest) }

    /// What is missing cannot be had: goes on with what came after it.
    mutating func giveUp() -> [Publication] {
        passOver(to: pending.keys.min().map { $0 - 1 } ?? head)
    }

    /// What came up to `sequence` is not wanted.
    mutating func passOver(to sequence: UInt64) -> [Publication] {
        settled = max(settled, sequence)
        head = max(head, settled)
        pending = pending.filter { $0.key > settled }
        return takePending()
    }

    private mutating func takePending() -> [Publication] {
        var inOrder: [Publication] = []
        while settled < .max, let next = pending.removeValue(forKey: settled + 1) {
            settled += 1
            inOrder.append(next)
        }
        return inOrder
    }
}
