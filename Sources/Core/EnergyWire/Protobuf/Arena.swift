/// Memory for the C structs of one message: handed out in order, freed at once with the arena.
///
/// protobuf-c makes up to 52 times its input out of hostile bytes, so an arena has a budget.
struct Arena: ~Copyable {
    private var next: UnsafeMutableRawPointer?
    private var free = 0
    /// The newest chunk. Each begins with the address of the one before.
    private var chunks: UnsafeMutableRawPointer?
    private var chunkSize: Int
    private var budget: Int
    /// Taken from the system so far.
    private(set) var reservedByteCount = 0

    /// - Parameters:
    ///   - firstChunk: bytes to start with; later chunks double.
    ///   - budget: bytes that all allocations may take together.
    init(firstChunk: Int, budget: Int = .max) {
        chunkSize = firstChunk
        self.budget = budget
    }

    /// For unpacking a message. What correct messages need is under 16 times their size.
    init(unpacking byteCount: Int) {
        self.init(firstChunk: min(64 * 1024, 512 + 8 * byteCount), budget: 64 * 1024 + 16 * byteCount)
    }

    deinit {
        var chunk = chunks
        while let current = chunk {
            chunk = current.load(as: UnsafeMutableRawPointer?.self)
            current.deallocate()
        }
    }

    /// Uninitialized memory, aligned for every C struct of the contract. The size stands in the 8 bytes before it.
    ///
    /// - Returns: `nil` when the budget is used up.
    mutating func allocate(byteCount: Int) -> UnsafeMutableRawPointer? {
        guard byteCount <= budget - Arena.header - Arena.alignment else { return nil }
        let size = Arena.header + (byteCount + Arena.alignment - 1) & ~(Arena.alignment - 1)
        budget -= size
        if size > free { addChunk(atLeast: size) }
        guard let start = next else { return nil }
        next = start + size
        free -= size
        start.storeBytes(of: byteCount, as: Int.self)
        return start + Arena.header
    }

    /// The size that `allocate` was asked for when it returned `pointer`.
    static func byteCount(at pointer: UnsafeRawPointer) -> Int { (pointer - header).load(as: Int.self) }

    private mutating func addChunk(atLeast size: Int) {
        let byteCount = Arena.header + max(size, chunkSize)
        let chunk = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: Arena.alignment)
        chunk.storeBytes(of: chunks, as: UnsafeMutableRawPointer?.self)
        chunks = chunk
        reservedByteCount += byteCount
        next = chunk + Arena.header
        free = byteCount - Arena.header
        chunkSize = min(chunkSize * 2, Arena.chunkSizeMax)
    }

    /// Every member of protobuf-c's structs is at most 8 bytes wide.
    private static let alignment = 8
    private static let header = 8
    private static let chunkSizeMax = 1024 * 1024
}
