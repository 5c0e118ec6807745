import EnergyStore
import EnergyTestSupport
import Testing

struct CRC32Tests {
    private func checksum(_ bytes: [UInt8]) -> UInt32 {
        var crc = CRC32()
        bytes.withUnsafeBytes { crc.update($0) }
        return crc.value
    }

    @Test func `the check value of the standard comes out`() {
        #expect(checksum(Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(checksum([]) == 0)
    }

    @Test(arguments: UInt64(0)..<20)
    func `it does not matter how the bytes are cut`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let bytes = (0..<100).map { _ in UInt8.random(in: 0...255, using: &random) }
        let cut = Int.random(in: 0...100, using: &random)
        var crc = CRC32()
        bytes[..<cut].withUnsafeBytes { crc.update($0) }
        bytes[cut...].withUnsafeBytes { crc.update($0) }
        #expect(crc.value == checksum(bytes))
    }

    @Test func `a number counts as its little-endian bytes`() {
        var crc = CRC32()
        crc.update(0x0807_0605_0403_0201)
        #expect(crc.value == checksum([1, 2, 3, 4, 5, 6, 7, 8]))
    }
}
