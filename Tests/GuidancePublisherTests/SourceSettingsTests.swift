import EnergyModel
import EnergyTestSupport
import Foundation
import GridSignals
import ServiceRuntime
import Testing

@testable import guidance_publisher

/// What each entry of `sources` makes, and how a wrong one is refused: where it stands, what is wrong, what is allowed.
@Suite struct SourceSettingsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let environment = ["KEY": "geheim-1", "BLANK": "  ", "SPLIT": "ge heim"]

    private func sources(_ entries: String) async throws -> [SourceSettings.Source] {
        let yaml = "sources:\n" + entries.replacing("FOLDER", with: folder.url.path)
        let texts = [
            "key": "geheim-2\n", "a.csv": "utc_time,ci_direct_g_per_kwh\n2026-11-20T00:00Z,1\n", "c.yaml": yaml,
        ]
        for (name, text) in texts {
            try text.write(to: folder.url.appending(path: name), atomically: true, encoding: .utf8)
        }
        let configuration = try GuidanceSettings.definition.loader.load(
            arguments: ["--config", folder.path("c.yaml")], environment: [:])
        return try await SourceSettings.read(configuration, environment: Self.environment).filter { !$0.isAutomatic }
    }

    private func refusal(_ entries: String) async -> [String] {
        do {
            _ = try await sources(entries)
            return []
        } catch let error as ConfigurationError {
            return error.problems.map { "\($0)".replacing(folder.url.path + "/", with: "") }
        } catch { return ["\(error)"] }
    }

    /// An entry, and the name, kind and currency of the source that it makes.
    static let wellFormed: [(entry: String, name: String, kind: SignalKind?, currency: String?)] = [
        ("provider: gb-carbon-intensity", "gb-carbon-intensity:national", .averageDirect, nil),
        ("provider: gb-carbon-intensity, area: 13", "gb-carbon-intensity:13", .averageDirect, nil),
        ("provider: gb-carbon-intensity, area: SW1A", "gb-carbon-intensity:SW1A", .averageDirect, nil),
        ("provider: cec-midas, rin: USCA-SGIP-MOER-PGE", "cec-midas:USCA-SGIP-MOER-PGE", .marginal, nil),
        (
            "provider: cec-midas, rin: USCA-TSTS-TTOU-TEST, content: rates", "cec-midas:USCA-TSTS-TTOU-TEST", .price,
            "USD"
        ),
        ("provider: cec-midas, content: alerts", "USCA-FLEX-ALRT-0000", nil, nil),
        ("provider: cec-midas, content: alerts, rin: USCA-FLEX-TEST-0000", "USCA-FLEX-TEST-0000", nil, nil),
        ("provider: energy-charts-co2, country: de", "energy-charts-co2:de", .averageLifecycle, nil),
        ("provider: energinet-co2, area: DK1", "energinet-co2:DK1", .averageDirect, nil),
        ("provider: eia-930, key-variable: KEY", "eia-930:CISO", .averageDirect, nil),
        (
            "provider: eia-930, authority: PJM, kind: averageLifecycle, key-file: FOLDER/key", "eia-930:PJM",
            .averageLifecycle, nil
        ),
        ("provider: watttime, user: me, key-variable: KEY", "watttime:CISO", .marginal, nil),
        (
            "provider: watttime, area: CAISO_NORTH, kind: averageDirect, user: me, key-variable: KEY",
            "watttime:CAISO_NORTH", .averageDirect, nil
        ),
        ("provider: electricity-maps, key-variable: KEY", "electricity-maps:CISO", .averageLifecycle, nil),
        (
            "provider: electricity-maps, area: DE, kind: averageDirect, key-variable: KEY", "electricity-maps:DE",
            .averageDirect, nil
        ),
        (
            "provider: octopus, product: AGILE-24-10-01, region-letter: C, vat: excluded", "octopus:AGILE-24-10-01-C",
            .price, "GBP"
        ),
        ("provider: energy-charts-price, zone: DE-LU", "energy-charts-price:DE-LU", .price, "EUR"),
        ("provider: awattar, country: at", "awattar:at", .price, "EUR"),
        ("provider: energinet-price, area: DK1, currency: EUR", "energinet-price:DK1", .price, "EUR"),
        ("provider: energinet-price, area: DK2", "energinet-price:DK2", .price, "DKK"),
        ("provider: entsoe, zone: BE, key-variable: KEY", "entsoe:BE", .price, "EUR"),
        ("provider: tibber, currency: NOK, key-variable: KEY", "tibber:", .price, "NOK"),
        ("provider: amber, site: 01F5, key-file: FOLDER/key, channel: feedIn", "amber:01F5-feedIn", .price, "AUD"),
        ("provider: push, name: meter, kind: price, currency: EUR", "push:meter", .price, "EUR"),
        ("provider: push, name: meter, kind: marginal", "push:meter", .marginal, nil),
        ("provider: file, path: FOLDER/a.csv, label: start", "file:a.csv", .averageDirect, nil),
        (
            "provider: awattar, country: de, endpoint: \"http://127.0.0.1:1/mirror\"", "awattar:de", .price, "EUR"
        ),
    ]

    @Test(arguments: wellFormed)
    func `each provider makes its source`(
        entry: String, name: String, kind: SignalKind?, currency: String?
    ) async throws {
        let source = try #require(try await sources("  - { region: CISO, \(entry) }\n").first)
        #expect(source.region == "CISO")
        #expect(source.kind == kind)
        let shown: String
        switch source.origin {
        case .web(let web):
            shown = web.name
            #expect(web.currency == currency)
        case .push(let name, _, let said):
            shown = "push:\(name)"
            #expect(said == currency)
        case .file(let file): shown = file.name
        case .alerts(let rin, _): shown = rin
        }
        #expect(shown.hasPrefix(name), "\(shown)")
        #expect(!shown.contains("geheim"))
        #expect((source.priceSource != nil) == (kind == .price))
    }

    /// What is wrong, and how it is told after its place. Entries have a member a line, from line 3 on.
    static let wrong: [(members: [String], line: Int, told: String)] = [
        (["provider: gb-carbon-intensity", "area: 19"], 4, "area: Great Britain's regions are 1 to 18, not 19"),
        (["provider: gb-carbon-intensity", "area: London"], 4, "area: the first part of a postcode is like SW1A"),
        (
            ["provider: gb-carbon"], 3,
            "provider: 'gb-carbon' is not allowed; allowed: one of gb-carbon-intensity, cec-midas"
        ),
        (["provider: cec-midas"], 2, "rin: is missing; allowed: a text"),
        (["provider: cec-midas", "rin: PGE"], 4, "rin: a RIN is like USCA-SGIP-MOER-PGE, not PGE"),
        (
            ["provider: cec-midas", "content: alerts", "rin: Flex"], 5,
            "rin: a RIN is like USCA-SGIP-MOER-PGE, not Flex"
        ),
        (
            ["provider: cec-midas", "rin: USCA-SGIP-MOER-PGE", "content: news"], 5,
            "content: 'news' is not allowed; allowed: one of emissions, rates, alerts"
        ),
        (["provider: energy-charts-co2", "country: d1"], 4, "country: a country of Energy-Charts is like de, not d1"),
        (["provider: energinet-co2", "area: SE3"], 4, "area: Energinet's areas are DK1 and DK2, not SE3"),
        (["provider: eia-930"], 2, "key-variable: is missing, or key-file: one of the two"),
        (
            ["provider: eia-930", "key-variable: KEY", "key-file: FOLDER/key"], 4,
            "key-variable: and key-file are both there: one of the two"
        ),
        (["provider: eia-930", "key-variable: NONE"], 4, "key-variable: names NONE, which is not set"),
        (["provider: eia-930", "key-variable: BLANK"], 4, "key-variable: holds no key"),
        (["provider: eia-930", "key-file: FOLDER/none"], 4, "key-file: names none, which cannot be read"),
        (
            ["provider: eia-930", "key-variable: KEY", "kind: marginal"], 5,
            "kind: 'marginal' is not allowed; allowed: one of averageDirect, averageLifecycle"
        ),
        (
            ["provider: eia-930", "key-variable: KEY", "authority: C!"], 5,
            "authority: a balancing authority is like CISO"
        ),
        (
            ["provider: watttime", "user: me", "key-variable: KEY", "kind: averageLifecycle"], 6,
            "kind: 'averageLifecycle' is not allowed; allowed: one of marginal, averageDirect"
        ),
        (["provider: watttime", "key-variable: KEY"], 2, "user: is missing; allowed: a text"),
        (
            ["provider: watttime", "user: me", "key-variable: KEY", "area: C I"], 6,
            "area: a region of WattTime is like"
        ),
        (
            ["provider: electricity-maps", "key-variable: KEY", "kind: marginal"], 5,
            "kind: 'marginal' is not allowed; allowed: one of averageLifecycle, averageDirect"
        ),
        (["provider: octopus", "region-letter: C"], 2, "product: is missing; allowed: a text"),
        (
            ["provider: octopus", "product: \"?\"", "region-letter: C"], 4,
            "product: a product of Octopus is like AGILE-"
        ),
        (
            ["provider: octopus", "product: AGILE-24-10-01", "region-letter: I"], 5,
            "region-letter: a region of Octopus is a letter A to P, not I or O: I"
        ),
        (
            ["provider: octopus", "product: AGILE-24-10-01", "region-letter: C", "vat: half"], 6,
            "vat: vat is one of excluded, included, not half"
        ),
        (["provider: energy-charts-price", "zone: \"?\""], 4, "zone: a bidding zone of Energy-Charts is like DE-LU"),
        (["provider: awattar", "country: ch"], 4, "country: country is one of at, de, not ch"),
        (["provider: energinet-price", "area: Fyn"], 4, "area: an area of Energinet is like DK1, not Fyn"),
        (
            ["provider: energinet-price", "area: DK1", "currency: SEK"], 5,
            "currency: currency is one of DKK, EUR, not SEK"
        ),
        (["provider: entsoe", "zone: Nowhere", "key-variable: KEY"], 4, "zone: a bidding zone is like BE"),
        (["provider: entsoe", "zone: BE", "key-variable: SPLIT"], 5, "key-variable: the token of ENTSO-E is missing"),
        (
            ["provider: entsoe", "zone: BE", "key-variable: KEY", "currency: euro"], 6,
            "currency: a currency is like EUR, not euro"
        ),
        (["provider: tibber", "key-variable: KEY"], 2, "currency: is missing; allowed: a text"),
        (
            ["provider: tibber", "currency: NOK", "key-variable: KEY", "home: \"a b\""], 6,
            "home: the id of a Tibber home has letters, digits and -: a b"
        ),
        (["provider: amber", "site: \"?\"", "key-variable: KEY"], 4, "site: the id of an Amber site has letters"),
        (
            ["provider: amber", "site: 01F5", "key-variable: KEY", "channel: out"], 6,
            "channel: channel is one of controlledLoad, feedIn, general, not out"
        ),
        (
            ["provider: push", "name: a b", "kind: price"], 4,
            "name: 'a b' is not allowed; allowed: 1 to 64 letters, digits, - and _"
        ),
        (["provider: push", "name: a"], 2, "kind: is missing; allowed: one of "),
        (["provider: push", "name: a", "kind: price"], 2, "currency: is missing; prices need one, for example EUR"),
        (
            ["provider: push", "name: a", "kind: price", "currency: euro"], 6,
            "currency: 'euro' is not allowed; allowed: an ISO 4217 code, for example EUR"
        ),
        (["provider: push", "name: a", "kind: marginal", "currency: EUR"], 6, "currency: is of prices only"),
        (["provider: file", "path: FOLDER/b.csv", "label: start"], 4, "path: b.csv: there is no such file"),
        (["provider: file", "path: FOLDER/a.csv"], 2, "label: is missing; allowed: one of start, end"),
        (
            ["provider: awattar", "country: de", "endpoint: http://example.org"], 5,
            "endpoint: example.org: must begin with https://, http:// is for this machine only"
        ),
    ]

    @Test(arguments: wrong)
    func `a wrong setting is refused at its line, with what is allowed`(
        members: [String], line: Int, told: String
    ) async throws {
        let entry = (["  - region: CISO"] + members.map { "    " + $0 }).joined(separator: "\n") + "\n"
        let problems = await refusal(entry)
        let problem = try #require(problems.first)
        #expect(problems.count == 1)
        let (place, rest) = try #require(Self.split(problem))
        #expect(place == "c.yaml:\(line)")
        #expect(rest.hasPrefix("sources[0].\(told)"), "\(problem)")
        #expect(!problem.contains("geheim"))
    }

    @Test func `a mistyped member is told before what is missing because of it`() async throws {
        let problems = await refusal("  - { region: CISO, provider: entsoe, zonne: BE, key-variable: KEY }\n")
        #expect(problems.count == 2)
        #expect(problems.first?.contains("did you mean 'zone'?") == true, "\(problems)")
    }

    @Test func `a member of another provider is not ignored`() async throws {
        let problems = await refusal("  - { region: CISO, provider: awattar, country: de, zone: BE }\n")
        #expect(problems.first?.contains("sources[0].zone") == true, "\(problems)")
    }

    @Test func `a region that no venue could have is refused`() async throws {
        let problems = await refusal("  - { region: \"C I\", provider: awattar, country: de }\n")
        #expect(
            problems.first?.contains("region: 'C I' is not allowed; allowed: 1 to 64 ASCII letters") == true,
            "\(problems)")
    }

    @Test(arguments: ["push, name: a, kind: marginal", "cec-midas, content: alerts"])
    func `what is there twice for a region is refused, for two regions it is not`(entry: String) async throws {
        func two(_ other: String) -> String {
            "  - { region: CISO, provider: \(entry) }\n  - { region: \(other), provider: \(entry) }\n"
        }
        let problem = try #require(await refusal(two("CISO")).first)
        let (place, rest) = try #require(Self.split(problem))
        #expect(place == "c.yaml:3")
        #expect(rest.contains("is another source of CISO"))
        #expect(try await SourceSettingsTests().sources(two("LDWP")).count == 2)
    }

    /// Without the column.
    private static func split(_ problem: String) -> (place: String, rest: String)? {
        problem.wholeMatch(of: /(.*?:\d+):\d+: (.*)/.dotMatchesNewlines()).map { (String($0.1), String($0.2)) }
    }
}
