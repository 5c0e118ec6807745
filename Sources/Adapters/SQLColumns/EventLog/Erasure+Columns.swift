public import EnergyModel
public import Foundation

extension Erasure {
    /// Salt and digest of a device, little endian; empty for a whole venue.
    public var column: Data {
        guard let device else { return Data() }
        var words = (device.salt.littleEndian, device.digest.littleEndian)
        return withUnsafeBytes(of: &words) { Data($0) }
    }

    /// - Returns: `nil` for a column that is damaged.
    public init?(column: Data) {
        guard column.count == 16 || column.isEmpty else { return nil }
        let words = column.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 8).map {
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self))
            }
        }
        self.init(device: words.isEmpty ? nil : Device(salt: words[0], digest: words[1]))
    }
}
