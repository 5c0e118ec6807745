import EnergyModel
import Foundation
import Testing

@testable import GridSignals

@Suite struct PriceUnitTests {
    @Test(arguments: [
        ("0.1", PriceUnit.perMegawattHour, 100), ("-500", .perMegawattHour, -500_000),
        ("89.66999999999999", .perMegawattHour, 89_670), ("23.457", .hundredthsPerKilowattHour, 234_570),
        ("-1.0605", .hundredthsPerKilowattHour, -10_605), ("0.2456", .perKilowattHour, 245_600),
        ("0.0000005", .perKilowattHour, 1), ("-0.0000005", .perKilowattHour, -1), ("0", .perKilowattHour, 0),
        ("999999.999999", .perKilowattHour, 999_999_999_999),
    ])
    func `units become millionths per kWh without losing digits`(text: String, unit: PriceUnit, micros: Int64) throws {
        #expect(try unit.price(try #require(Decimal(plainText: text))).microsPerKilowattHour == micros)
        // The same digits as JSON are the same number.
        let json = try JSONDecoder().decode([Decimal].self, from: Data("[\(text)]".utf8))
        #expect(try unit.price(json[0]).microsPerKilowattHour == micros)
    }

    @Test(arguments: [
        "1,5", "1.5e3", "", "-", ".5", "NaN", "1 000", "0x10", "١", "12abc", "1.5.2", "--1", "+-1", "9999999999999999",
    ])
    func `only plain decimal text is a number`(text: String) { #expect(Decimal(plainText: text) == nil) }

    @Test func `a number beyond any price is refused, not wrapped`() {
        for amount in [Decimal(sign: .plus, exponent: 100, significand: 9), Decimal(-1_000_001), Decimal.nan] {
            #expect(throws: EnergyError.self) { try PriceUnit.perKilowattHour.price(amount) }
        }
    }
}
