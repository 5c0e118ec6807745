import EnergyModel
import Testing

struct DeviceRulesTests {
    @Test(arguments: [
        "a", "7", "Bob's car 2", "3F2504E0-4F89-41D3-9A0C-0305E82C3301", String(repeating: "x", count: 64),
    ])
    func `letters, digits, spaces, hyphens and apostrophes make an id`(id: String) {
        #expect(Device.violation(ofID: id) == nil)
    }

    @Test(arguments: [
        ("", "must not be empty"), (" a", "must begin and end with a letter or digit"),
        ("a-", "must begin and end with a letter or digit"),
        ("a/b", "must hold only ASCII letters, digits, space, hyphen and apostrophe"),
        ("Zoë", "must hold only ASCII letters, digits, space, hyphen and apostrophe"),
        ("a\u{0}b", "must hold only ASCII letters, digits, space, hyphen and apostrophe"),
        (String(repeating: "x", count: 65), "must have at most 64 bytes"),
    ])
    func `any other id is refused by name and rule`(id: String, rule: String) {
        let violation = Device.violation(ofID: id, field: "rate_plan.id")
        #expect(violation?.rule == rule)
        #expect(violation?.field == "rate_plan.id")
    }

    @Test func `a bad name is repaired`() {
        #expect(Device.sanitised(name: "Car\u{7}\u{200B} of\nZoë 🚗 (€)") == "Car ofZoë 🚗 (€)")
        #expect(Device.sanitised(name: String(repeating: "n", count: 300)).utf16.count == 250)
    }

    @Test func `a name is cut before a scalar that would be halved`() {
        let name = String(repeating: "n", count: 249) + "🚗"
        #expect(Device.sanitised(name: name) == String(repeating: "n", count: 249))
    }

    @Test(arguments: ["", "\u{0}\u{1}\n"])
    func `a name of which nothing is left is refused`(name: String) {
        #expect(Device.violation(ofName: name)?.field == "device.name")
    }

    @Test func `a refusal shows neither control characters nor endless text`() {
        let value = Device.violation(ofID: "\u{1B}[2J" + String(repeating: "x", count: 10_000))?.value ?? ""
        #expect(!value.contains("\u{1B}"))
        #expect(value.count < 120)
    }
}
