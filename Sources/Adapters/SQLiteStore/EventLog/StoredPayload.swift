internal import Foundation
internal import GRDB
internal import LZ4

/// A record's payload as it lies in the file. The events of a batch repeat each other: compressed, a batch of 100 takes a
/// quarter of the room, and of the time to write it.
struct StoredPayload {
    /// Less than this is not worth it.
    private static let compressedMin = 256

    let bytes: Data
    /// Of the payload itself, if `bytes` are compressed; `nil` if they are the payload.
    let plainCount: Int?

    init(_ payload: [UInt8]) {
        let block = payload.count < Self.compressedMin ? nil : LZ4Block.compressed(payload)
        bytes = Data(block ?? payload)
        plainCount = block == nil ? nil : payload.count
    }

    /// - Returns: `nil` when what is stored is damaged.
    static func payload(of row: Row, bytesAt index: Int, plainCountAt countIndex: Int) throws -> [UInt8]? {
        let plainCount: Int? = row[countIndex]
        return try row.withUnsafeData(atIndex: index) { data -> [UInt8]? in
            guard let plainCount else { return data.map(Array.init) ?? [] }
            return data?.withUnsafeBytes { LZ4Block.decompressed($0, count: plainCount) }
        }
    }
}
