import EnergyModel
import GridSignals
import Testing

@Suite struct PriceProviderTests {
    static let settings: [String: [String: String]] = [
        "octopus": ["product": "AGILE-24-10-01", "region-letter": "C", "vat": "excluded"],
        "energy-charts-price": ["zone": "DE-LU"],
        "awattar": ["country": "at"], "energinet-price": ["area": "DK1", "currency": "EUR"],
        "entsoe": ["zone": "BE", "key": "geheim-1"], "tibber": ["key": "geheim-1", "currency": "NOK"],
        "amber": ["site": "01F5", "key": "geheim-1", "channel": "feedIn"],
    ]

    private static func failure(_ provider: PriceProvider, _ settings: [String: String]) -> String? {
        #expect(throws: EnergyError.self) { try provider.source(settings) }?.message
    }

    @Test(arguments: PriceProvider.all.map(\.name))
    func `each provider is found by name, and says which setting is wrong`(name: String) throws {
        let provider = try #require(PriceProvider.all.first { $0.name == name })
        let settings = try #require(Self.settings[name])
        let source = try provider.source(settings)
        #expect(source.kind == .price)
        #expect(source.currency != nil)
        #expect(source.name.hasPrefix(name + ":"))
        #expect(!source.name.contains("geheim"))
        for required in provider.requiredSettings {
            let without = settings.filter { $0.key != required }
            #expect(Self.failure(provider, without)?.contains("\(name) needs \(required)") == true)
            let wrong = settings.merging([required: "?? ??"]) { $1 }
            let message = try #require(Self.failure(provider, wrong))
            #expect(!message.contains("geheim"))
        }
        #expect(
            Self.failure(provider, settings.merging(["colour": "red"]) { $1 })?.contains("no setting colour") == true)
    }

    @Test func `a choice names what can be chosen`() throws {
        let amber = try #require(PriceProvider.all.first { $0.name == "amber" })
        let message = Self.failure(amber, ["site": "1", "key": "t", "channel": "export"])
        #expect(message == "channel is one of controlledLoad, feedIn, general, not export")
    }

    @Test func `names are unique`() { #expect(Set(PriceProvider.all.map(\.name)).count == Self.settings.count) }
}
