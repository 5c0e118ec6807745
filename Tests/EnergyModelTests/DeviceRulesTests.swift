import EnergyModel
import EnergyTestSupport
import Testing

struct DeviceRulesTests {
    private func violations(id: String = "car-1", name: String = "Car") -> [String] {
        let device = Device(id: id, name: name, kind: .electricVehicle)
        return EventRules().violations(of: EventSamples.status(device: device), now: EventSamples.now).map(\.field)
    }

    @Test(arguments: [
        "a", "7", "Bob's car 2", "3F2504E0-4F89-41D3-9A0C-0305E82C3301", String(repeating: "x", count: 64),
    ])
    func `letters, digits, spaces, hyphens and apostrophes make an id`(id: String) {
        #expect(violations(id: id) == [])
    }

    @Test(arguments: ["", " a", "a-", "a/b", "Zoë", "a\u{0}b", String(repeating: "x", count: 65)])
    func `any other id is refused, whatever the name is`(id: String) {
        #expect(violations(id: id) == ["device.id"])
        #expect(violations(id: id, name: "Zoë") == ["device.id"])
        #expect(violations(id: id, name: "\u{0}") == ["device.id", "device.name"])
    }

    @Test(arguments: ["", "\u{0}\u{1}\n", "   "])
    func `a name of which nothing is left is refused`(name: String) {
        #expect(violations(name: name) == ["device.name"])
    }

    @Test(arguments: [
        ("Car", "Car"), ("Zoë 🚗 (€)", "Zoë 🚗 (€)"), ("Car\u{7}\u{200B} 1", "Car 1"), ("a\u{7F}b", "ab"),
        (String(repeating: "n", count: 300), String(repeating: "n", count: 250)),
        (String(repeating: "n", count: 249) + "🚗", String(repeating: "n", count: 249)),
    ])
    func `a bad name is repaired, a good one left alone`(name: String, kept: String) {
        let device = Device(id: "car-1", name: name, kind: .electricVehicle)
        #expect(device.sanitized.name == kept)
        #expect(violations(name: name) == [])
    }

    @Test(arguments: UInt64(0)..<50)
    func `the short way for plain names finds what the long way finds`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let scalars = (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
            Unicode.Scalar(UInt8.random(in: 0...255, using: &random))
        }
        let device = Device(
            id: "car-1", name: scalars.map { String($0) }.joined(), kind: .electricVehicle)
        #expect(device.sanitized.name == NameRules.sanitized(device.name))
        #expect(violations(name: device.name) == device.violations.map(\.field))
    }

    /// The digest of an event covers its name: what was kept once is kept for ever.
    @Test(arguments: UInt64(0)..<200)
    func `a name is repaired character by character, whatever it is made of`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let parts = [
            "n", " ", "é", "電", "한", "Ж", "ß", "🚗", "👨\u{200D}👩\u{200D}👧", "e\u{301}", "\u{AD}", "\u{378}", "\u{200B}",
            "\u{7}",
            "\t", "\u{E000}", "🇩🇪", "\u{A0}", "\u{530}",
        ]
        let count = Int.random(in: 0...(seed % 2 == 0 ? 8 : 1_200), using: &random)
        let name = (0..<count).map { _ in parts[Int.random(in: 0..<parts.count, using: &random)] }.joined()
        var (kept, units) = ("", 0)
        for character in name.prefix(1_000) {
            let part = String(String.UnicodeScalarView(character.unicodeScalars.filter(isKept)))
            units += part.utf16.count
            if units > 250 { break }
            kept += part
        }
        #expect(Array(NameRules.sanitized(name).unicodeScalars) == Array(kept.unicodeScalars))
    }

    private func isKept(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar == "\t"
        case .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    @Test func `every character of a plane is kept or not as its category says`() {
        for scalar in (UInt32(0x20)...0xFFFF).compactMap(Unicode.Scalar.init) {
            let isAllowed = NameRules.sanitized(String(scalar)) == String(scalar)
            if isAllowed != isKept(scalar) { Issue.record("U+\(String(scalar.value, radix: 16))") }
        }
    }

    @Test func `a refusal shows neither control characters nor endless text`() {
        let device = Device(
            id: "\u{1B}[2J" + String(repeating: "x", count: 10_000), name: "Car", kind: .electricVehicle)
        let value = device.violations.first?.value ?? ""
        #expect(!value.contains("\u{1B}"))
        #expect(value.count < 120)
        #expect(value.hasSuffix("...\" (10004 characters)"))
    }
}
