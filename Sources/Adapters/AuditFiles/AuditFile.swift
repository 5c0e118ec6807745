internal import Foundation

/// The lines of one file, as they are.
struct AuditFile {
    /// Larger files are no audit logs.
    private static let byteCountMax = 64 << 20

    /// Without their ends.
    let lines: [ArraySlice<UInt8>]
    let byteCount: Int
    /// Bytes behind the last whole line.
    let rest: Int

    /// - Returns: `nil` when it cannot be read.
    init?(_ path: String) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let size = attributes[.size] as? Int, size <= Self.byteCountMax,
            let data = try? Data(contentsOf: URL(filePath: path))
        else { return nil }
        let bytes = [UInt8](data)
        byteCount = bytes.count
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        rest = lines.popLast()?.count ?? 0
        self.lines = lines
    }
}
