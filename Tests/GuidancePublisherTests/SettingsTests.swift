import EnergyModel
import EnergyTestSupport
import EnergyWire
import Foundation
import GuidancePublishing
import ServiceRuntime
import Testing

@testable import guidance_publisher

/// What whole settings make of a guidance-publisher.
@Suite struct SettingsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func configuration(_ yaml: String) async throws -> GuidanceConfiguration {
        try yaml.write(to: folder.url.appending(path: "c.yaml"), atomically: true, encoding: .utf8)
        let configuration = try GuidanceSettings.definition.loader.load(
            arguments: ["--config", folder.path("c.yaml")], environment: [:])
        let sources = try await SourceSettings.read(configuration, environment: [:])
        return try await GuidanceSettings.read(
            configuration, sources: sources, now: Timestamp(unixMilliseconds: 1_790_000_000_000))
    }

    private func refusal(_ yaml: String) async -> String {
        do {
            _ = try await configuration(yaml)
            return ""
        } catch { return "\(error)" }
    }

    @Test func `the sample in README starts as it is`() async throws {
        let readme = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "README.md")
        let text = try String(contentsOf: readme, encoding: .utf8)
        let block = try #require(text.components(separatedBy: "```yaml\n").dropFirst().first)
        let yaml = try #require(block.components(separatedBy: "```").first)
        #expect(yaml.contains("rate-plans:"))
        let read = try await configuration(yaml)
        #expect(read.venues.map(\.ratePlanID) == read.ratePlans.map(\.id))
    }

    @Test func `other contracts beside the built-in venue leave it without one`() async throws {
        let plan =
            "rate-plans: [{ id: a, name: A, currency: EUR, time-zone: Europe/Berlin, zones: [{ price: 0.3 }] }]\n"
        let read = try await configuration(plan)
        #expect(read.exampleVenues.map(\.name) == ["Home"] && read.exampleVenues[0].ratePlanID == nil)
        #expect(try await configuration("guidance: {}\n").exampleVenues.map(\.ratePlanID) == ["home-tou"])
        let wrong = "venues: [{ name: B, region: CISO, time-zone: Europe/Berlin, rate-plan: home-tou }]\n"
        #expect(await refusal(plan + wrong).contains("'home-tou' is not allowed; allowed: one of a"))
    }

    @Test func `a region with services of its own needs no entry, unless these are switched off`() async throws {
        let venue = "venues: [{ name: B, region: DE, time-zone: Europe/Berlin, rate-plan: a }]\n"
        let plan =
            "rate-plans: [{ id: a, name: A, currency: EUR, time-zone: Europe/Berlin, price-source: awattar:de }]\n"
        #expect(try await configuration(plan + venue).venues.map(\.region) == ["DE"])
        // Twice of one name would be refused.
        let entry = "sources: [{ region: home, provider: awattar, country: de }]\n"
        #expect(try await configuration(entry + plan + venue).ratePlans.map(\.priceSource) == ["awattar:de"])
        let off = "guidance: { automatic-sources: false }\n"
        #expect(await refusal(off + plan).contains("has none yet"))
        #expect(await refusal(off + entry + plan + venue).contains("'DE' has no source"))
    }

    @Test func `a contract without a price for some hours is refused`() async {
        let zones = #"zones: [{ price: 0.3, from: "06:00", to: "22:00" }]"#
        let message = await refusal(
            "rate-plans: [{ id: a, name: A, currency: EUR, time-zone: Europe/Berlin, \(zones) }]\n")
        #expect(message.contains("no zone gives a price on"), "\(message)")
    }

    @Test func `a wrong zone is named as the file has it, and an abbreviation is no time zone`() async {
        func text(zone: String, price: String) -> String {
            """
            rate-plans:
              - id: a
                name: A
                currency: EUR
                time-zone: \(zone)
                zones: [{ price: 0.3, hours: "0-5,22-23" }, { price: \(price) }]

            """
        }
        let wrong = await refusal(text(zone: "Europe/Berlin", price: "90000"))
        #expect(wrong.contains("rate-plans[0].zones[1].price") && wrong.contains("10,000 currency units"), "\(wrong)")
        let abbreviated = await refusal(text(zone: "PST", price: "0.4"))
        #expect(abbreviated.contains("'PST' is not allowed; allowed: an IANA name"), "\(abbreviated)")
    }

    @Test func `a file has no prices`() async throws {
        let file = "files: [{ path: a.csv, region: CISO, label: start, kind: price }]\n"
        let message = await refusal(file)
        #expect(message.contains("'price' is not allowed") && message.contains("provider: push"), "\(message)")
    }

    @Test(arguments: [
        ("price: 0.1", TariffPeak.unknown), ("price: 0.9", .criticalPeak), ("multiplier: 3", .criticalPeak),
        ("multiplier: 0.5", .unknown), ("export-price: 1", .unknown), ("price: 0.1, peak: criticalPeak", .criticalPeak),
    ])
    func `a dated rate is a critical peak if it is dearer than every zone, or says so`(
        rate: String, peak: TariffPeak
    ) async throws {
        let read = try await configuration(
            """
            rate-plans:
              - id: a
                name: A
                currency: EUR
                time-zone: Europe/Berlin
                zones: [{ price: 0.3 }]
                dated-rates: [{ start: "2026-07-01T16:00:00Z", end: "2026-07-01T17:00:00Z", \(rate) }]

            """)
        #expect(read.ratePlans[0].datedRates.map(\.peak) == [peak])
    }
}
