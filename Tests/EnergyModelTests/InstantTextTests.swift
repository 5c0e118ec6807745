import EnergyModel
import Testing

@Suite struct InstantTextTests {
    @Test(arguments: [
        "2026-11-21T12:00:00Z", "2026-11-21T12:00:00.000+00:00", "2026-11-21t13:30:00+01:30",
        "2026-11-20T23:00:00.0001-13:00", "2026-11-21 12:00Z", "2026-11-21T14:00+02", "2026-11-21T14:00:00+0200",
    ])
    func `a time is read with any offset`(text: String) {
        #expect(Timestamp(iso8601: text)?.description == "2026-11-21T12:00:00Z")
    }

    @Test(arguments: [
        "", "now", "2026-11-21", "2026-11-21T12:00:00", "2026-02-30T12:00:00Z", "2026-13-01T12:00:00Z",
        "2026-11-21T24:00:00Z", "2026-11-21T12:60:00Z", "2026-11-21T12:00:60Z", "2026-11-21T12:00:00Z*",
        "2026-11-21T12:00:00+01:00*", "2026-11-21T12:00:00+01:0012", "2026-11-21T12:00:00+24:00",
        "12026-11-21T12:00:00Z",
        "2026-1-1T1:0:0Z", "2026-11-21T12:00:00.Z",
    ])
    func `what is no time is not taken for one`(text: String) { #expect(Timestamp(iso8601: text) == nil) }

    @Test(arguments: [Int64.zero, -1, 1_795_000_000_123, 253_402_300_799_999], [0, 90, -720])
    func `what is written is read as the same`(milliseconds: Int64, offset: Int) {
        let text = InstantText.text(milliseconds, offset: offset)
        let read = InstantText.parse(text)
        // The last hours of the year 9999 are those of 10000 further east.
        guard !text.hasPrefix("10000") else { return #expect(read == nil) }
        #expect(read?.milliseconds == milliseconds && read?.offset == offset, "\(text)")
    }
}
