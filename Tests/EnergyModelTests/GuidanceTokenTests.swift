import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

@Suite struct GuidanceTokenTests {
    /// No secret at all, but it mixes: what is tested is the layout.
    private struct Mixer: MessageAuthenticator {
        let key: UInt64

        func code(of message: [UInt8]) -> [UInt8] {
            let hash = message.reduce(key ^ 0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
            return withUnsafeBytes(of: hash) { Array($0) }
        }
    }

    private static func time(_ milliseconds: Int64) -> Timestamp {
        Timestamp(unixMilliseconds: 1_577_836_800_000 + milliseconds)
    }

    @Test(arguments: UInt64(0)..<50)
    func `a token says what it was made of, to whoever has the key`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let numbers: [VenueNumber] = [1, 16_777_215, .random(in: 1...16_777_215, using: &random)]
        let times: [Int64] = [0, 1 << 41 - 1, .random(in: 0..<1 << 41, using: &random)]
        let mixer = Mixer(key: .random(in: .min ... .max, using: &random))
        var seen: Set<UUID> = []
        for number in numbers {
            for time in times {
                for action in SuggestedAction.allCases {
                    let token = try #require(
                        GuidanceToken(venueNumber: number, action: action, issued: Self.time(time)))
                    let uuid = token.sealed(by: mixer)
                    #expect(GuidanceToken(uuid, sealedBy: mixer) == token)
                    #expect(GuidanceToken(uuid, sealedBy: Mixer(key: mixer.key ^ 1)) == nil)
                    // RFC 9562: version 8, the variant of the RFC.
                    #expect(uuid.uuid.6 >> 4 == 8 && uuid.uuid.8 >> 6 == 0b10)
                    seen.insert(uuid)
                }
            }
        }
        #expect(seen.count == Set(numbers).count * Set(times).count * 2)
    }

    @Test func `no bit of a token can be changed`() throws {
        let mixer = Mixer(key: 42)
        let token = try #require(GuidanceToken(venueNumber: 77, action: .reduce, issued: Self.time(1 << 37)))
        let bytes = withUnsafeBytes(of: token.sealed(by: mixer).uuid) { Array($0) }
        for bit in 0..<128 {
            var forged = bytes
            forged[bit / 8] ^= 1 << UInt8(bit % 8)
            let uuid = forged.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
            #expect(GuidanceToken(uuid, sealedBy: mixer) == nil)
        }
        #expect(GuidanceToken(UUID(), sealedBy: mixer) == nil)
    }

    @Test func `what a token has no room for has none`() {
        #expect(GuidanceToken(venueNumber: 0, action: .shift, issued: Self.time(0)) == nil)
        #expect(GuidanceToken(venueNumber: 16_777_216, action: .shift, issued: Self.time(0)) == nil)
        #expect(GuidanceToken(venueNumber: 1, action: .shift, issued: Self.time(-1)) == nil)
        #expect(GuidanceToken(venueNumber: 1, action: .shift, issued: Self.time(1 << 41)) == nil)
        for extreme in [Int64.min, .max] {
            #expect(
                GuidanceToken(venueNumber: 1, action: .shift, issued: Timestamp(unixMilliseconds: extreme)) == nil)
        }
    }
}
