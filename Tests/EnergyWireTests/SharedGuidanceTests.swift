import EnergyModel
import EnergyWire
import Testing

@Suite struct SharedGuidanceTests {
    @Test(arguments: UInt64(0)..<50)
    func `head and tail are the guidance, byte for byte`(seed: UInt64) throws {
        var random = RandomValues(seed: seed)
        let guidance = random.guidance()
        let shared = SharedGuidance(guidance)
        #expect(
            SharedGuidance.head(token: guidance.token, venueID: guidance.venueID) + shared.tail == guidance.encoded())
    }
}
