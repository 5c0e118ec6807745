import EnergyModel
import EnergyTestSupport
import Foundation
import Tariffs
import Testing

@Suite struct DocumentTests {
    @Test(arguments: ["", "{", "[1,", "{\"a\":}", "\u{0}", "a: *b", "&a [*a, *a]", "{\"x\": 1}", "[]", "null", "5"])
    func `what is no contract is refused`(text: String) {
        let error = #expect(throws: EnergyError.self) { try TariffParts.read(text) }
        #expect(error?.code == .invalidInput)
    }

    @Test func `deep and large documents are refused`() throws {
        let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        #expect(throws: EnergyError.self) { try TariffParts.read(deep) }
        let large = [UInt8](repeating: UInt8(ascii: " "), count: TariffFormat.bytesMax + 1)
        #expect(throws: EnergyError.self) { try TariffFormat.read(large, try TariffParts.terms()) }
    }

    @Test(arguments: [
        ("06-01", "13-01", "schedule[0].effective_start", "must be a day like 06-01"),
        ("[0, 8.5]", "[1, 8.5]", "schedule[0].times[0]", "must be 0"),
        ("[0, 8.5]", "[0, 0]", "schedule[0].times[1]", "must be after"),
        ("[0, 8.5]", "[0, 24]", "schedule[0].times[1]", "must be an hour"),
        ("[0, 8.5]", "[0, 8.51]", "schedule[0].times[1]", "must be an hour from 0 to 24, on a minute"),
        ("[0, 8.5]", "[0]", "schedule[0].tariffs", "must have one price for each of the 1 times"),
        ("ALL", "MONDAYS", "schedule[0].dow_mask", "must be WEEKDAYS"),
    ])
    func `a refusal of an acnportal schedule names the place and the rule`(
        old: String, new: String, field: String, rule: String
    ) throws {
        let text = """
            {"name": "A-10", "schedule": [{"id": "S", "effective_start": "06-01", "effective_end": "5-31", "dow_mask": "ALL",
              "times": [0, 8.5], "tariffs": [0.1, 0.2], "demand_charge": 3}]}
            """
        let plan = try TariffParts.read(text).plan
        #expect(plan.zones.map(\.startMinute) == [0, 510])
        let violation = try TariffParts.refusal(text.replacingOccurrences(of: old, with: new))
        #expect(violation.field == field)
        #expect(violation.rule.hasPrefix(rule), "\(violation)")
    }

    @Test(arguments: UInt64(0)..<200)
    func `no damage to a document does more than refuse it`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let documents = [
            #"{"tariffs": {"grid": {"price": 0.3, "zones": [{"days": "mon-fri", "hours": "0-5", "price": 0.2}]}}}"#,
            #"{"schedule": [{"effective_start": "06-01", "effective_end": "5-31", "dow_mask": "ALL", "times": [0], "tariffs": [1]}]}"#,
            #"{"intervalPeriod": {"start": "2025-07-16T07:00:00Z", "duration": "PT1H"}, "intervals": [{"payloads": [{"type": "PRICE", "values": [0.3]}]}]}"#,
        ]
        var bytes = Array(documents[Int(seed % 3)].utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let index = Int.random(in: bytes.indices, using: &random)
            bytes[index] = UInt8.random(in: 0...255, using: &random)
        }
        do throws(EnergyError) { _ = try TariffFormat.read(bytes, try Self.terms()) } catch {
            #expect(error.code == .invalidInput)
        }
    }

    private static func terms() throws(EnergyError) -> TariffTerms { TariffTerms(id: "plan", timeZone: .gmt) }
}
