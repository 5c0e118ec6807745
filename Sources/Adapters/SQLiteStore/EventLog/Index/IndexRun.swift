/// A run of entries on disk: sorted, in blocks by the upper bits of their keys, never changed once it is complete.
struct IndexRun {
    enum State: Int {
        case building = 0
        case complete = 1
        /// Nobody asks it any more; its blocks are being removed.
        case dropped = 2
    }

    let id: Int64
    /// Runs of level 0 come from memory; ``EventIndex/fanOut`` runs of a level make one of the next.
    let level: Int
    /// There are 2 to this power blocks.
    let bits: Int
    let count: Int
    /// When the newest of its events was received.
    let newestUnixMilliseconds: Int64
    /// `nil` when the filters of newer runs take all the memory there is for them.
    var filter: RunFilter?

    var blockCount: Int { 1 << bits }

    func block(of key: IndexKey) -> Int { Int(key.high >> (64 - UInt64(bits))) }

    func place(ofBlock block: Int) -> Int64 { id << 24 | Int64(block) }
}
