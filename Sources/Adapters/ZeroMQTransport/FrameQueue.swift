internal import EnergyTransport

/// Encoded frames, first in, first out, in blocks: a frame costs its bytes and four, and what was taken is given back.
struct FrameQueue {
    private static let blockByteCount = 64 * 1024
    private static let lengthByteCount = MemoryLayout<UInt32>.size

    private var blocks: [[UInt8]] = []
    private var firstBlock = 0
    /// Of the first frame, in the first block.
    private var offset = 0
    private(set) var frameCount = 0
    /// Of the frames alone.
    private(set) var byteCount = 0

    var isEmpty: Bool { frameCount == 0 }

    mutating func append(_ frame: Frame, byteCount size: Int) {
        let needed = size + Self.lengthByteCount
        if firstBlock == blocks.count || blocks[blocks.count - 1].count + needed > Self.blockByteCount {
            blocks.append([])
        }
        let last = blocks.count - 1
        withUnsafeBytes(of: UInt32(size)) { blocks[last].append(contentsOf: $0) }
        blocks[last].append(contentsOf: frame.encoded)
        frameCount += 1
        byteCount += size
    }

    /// Lends the first frame. There must be one.
    func withFirst<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        blocks[firstBlock].withUnsafeBytes { block in
            let start = offset + Self.lengthByteCount
            return body(UnsafeRawBufferPointer(rebasing: block[start..<start + firstByteCount(in: block)]))
        }
    }

    mutating func removeFirst() {
        let size = blocks[firstBlock].withUnsafeBytes { firstByteCount(in: $0) }
        offset += Self.lengthByteCount + size
        frameCount -= 1
        byteCount -= size
        guard offset == blocks[firstBlock].count else { return }
        blocks[firstBlock] = []
        firstBlock += 1
        offset = 0
        if firstBlock > 16 || firstBlock == blocks.count {
            blocks.removeFirst(firstBlock)
            firstBlock = 0
        }
    }

    private func firstByteCount(in block: UnsafeRawBufferPointer) -> Int {
        Int(block.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
