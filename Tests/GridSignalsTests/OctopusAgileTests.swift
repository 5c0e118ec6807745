import EnergyModel
import EnergyTestSupport
import GridSignals
import Testing

@Suite struct OctopusAgileTests {
    private static func source(_ server: ReplayServer, includesVAT: Bool = true) throws -> OctopusAgile {
        try OctopusAgile(product: "AGILE-24-10-01", region: "c", includesVAT: includesVAT, endpoint: server.url)
    }

    private static let twoRows = OctopusBodies.page([
        OctopusBodies.row("2025-01-01T00:30:00Z", "2025-01-01T01:00:00Z", "-1.0605", without: "-1.01"),
        OctopusBodies.row("2025-01-01T00:00:00Z", "2025-01-01T00:30:00Z", "23.457", without: "22.34"),
    ])

    @Test func `half-hours come newest first, and may be negative`() async throws {
        let server = try ReplayServer { _ in .json(Self.twoRows) }
        let source = try Self.source(server)
        let fetched = try await PriceReplay.fetch(source, "2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z")
        #expect(fetched.micros == [234_570, -10_605])
        #expect(fetched.begins == ["2025-01-01T00:00:00Z", "2025-01-01T00:30:00Z"])
        #expect(fetched.points.allSatisfy { !$0.isEstimated })
        #expect(source.name == "octopus:AGILE-24-10-01-C")
        #expect(source.currency == "GBP")
        let request = try #require(server.requests.first)
        #expect(
            request.path
                == "/v1/products/AGILE-24-10-01/electricity-tariffs/E-1R-AGILE-24-10-01-C/standard-unit-rates/")
        #expect(request.query["period_from"] == "2025-01-01T00:00Z")
        #expect(request.query["period_to"] == "2025-01-02T00:00Z")
    }

    @Test func `VAT may be left out`() async throws {
        let server = try ReplayServer { _ in .json(Self.twoRows) }
        let fetched = try await PriceReplay.fetch(
            try Self.source(server, includesVAT: false), "2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z")
        #expect(fetched.micros == [223_400, -10_100])
    }

    @Test func `a null valid_to holds until the next rate begins, or to the end of what was asked`() async throws {
        let server = try ReplayServer { _ in
            .json(
                OctopusBodies.page([
                    OctopusBodies.row("2025-01-01T02:00:00Z", nil, "20"),
                    OctopusBodies.row("2024-06-01T00:00:00+01:00", nil, "10"),
                ]))
        }
        let fetched = try await PriceReplay.fetch(
            try Self.source(server), "2025-01-01T01:00:00Z", "2025-01-01T03:00:00Z")
        #expect(fetched.micros == [100_000, 100_000, 200_000, 200_000])
        #expect(fetched.minutes == [30, 30, 30, 30])
        #expect(fetched.begins.first == "2025-01-01T01:00:00Z")
    }

    @Test func `all pages are read`() async throws {
        let address = Box("")
        let server = try ReplayServer { request in
            let isSecond = request.query["page"] == "2"
            let row =
                isSecond
                ? OctopusBodies.row("2025-01-01T00:00:00Z", "2025-01-01T00:30:00Z", "1")
                : OctopusBodies.row("2025-01-01T00:30:00Z", "2025-01-01T01:00:00Z", "2")
            return .json(
                OctopusBodies.page([row], next: isSecond ? nil : "\(address.value)\(request.target)&page=2"))
        }
        address.set(server.url)
        let fetched = try await PriceReplay.fetch(
            try Self.source(server), "2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z")
        #expect(fetched.micros == [10_000, 20_000])
        #expect(server.requests.count == 2)
    }

    @Test func `pages without end, or of another service, are refused`() async throws {
        let address = Box("")
        let server = try ReplayServer { request in .json(OctopusBodies.page([], next: address.value + request.target)) }
        address.set(server.url)
        let endless = try await PriceReplay.failure(
            try Self.source(server), "2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z")
        #expect(endless.code == .invalidInput)
        #expect(server.requests.count == 8)
        address.set(server.url + "0")
        let elsewhere = try await PriceReplay.failure(
            try Self.source(server), "2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z")
        #expect(elsewhere.message.contains("another service"))
        #expect(server.requests.count == 9)
    }

    @Test func `the price without direct debit is another contract's`() async throws {
        let rows = ["NON_DIRECT_DEBIT", "DIRECT_DEBIT", "NON_DIRECT_DEBIT"].enumerated().map { index, method in
            OctopusBodies.row("2025-01-01T00:00:00Z", "2025-01-01T00:30:00Z", "\(index)", method: method)
        }
        let server = try ReplayServer { _ in .json(OctopusBodies.page(rows)) }
        let fetched = try await PriceReplay.fetch(
            try Self.source(server), "2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z")
        #expect(fetched.micros == [10_000])
    }

    @Test func `a null price is a gap`() async throws {
        let server = try ReplayServer { _ in
            .json(
                OctopusBodies.page([
                    OctopusBodies.row("2025-01-01T00:30:00Z", "2025-01-01T01:00:00Z", "null"),
                    OctopusBodies.row("2025-01-01T00:00:00Z", "2025-01-01T00:30:00Z", "5"),
                ]))
        }
        let fetched = try await PriceReplay.fetch(
            try Self.source(server), "2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z")
        #expect(fetched.micros == [50_000])
    }

    @Test func `tomorrow's prices not yet published leave today's`() async throws {
        let server = try ReplayServer { _ in .json(Self.twoRows) }
        let fetched = try await PriceReplay.fetch(
            try Self.source(server), "2025-01-01T00:00:00Z", "2025-01-03T00:00:00Z", now: "2025-01-01T00:10:00Z")
        #expect(fetched.points.count == 2)
        #expect(fetched.points.last?.interval.end.description == "2025-01-01T01:00:00Z")
    }

    @Test func `a product without rates, or that does not exist, is not found`() async throws {
        let empty = try ReplayServer { _ in .json(OctopusBodies.page([])) }
        #expect(
            try await PriceReplay.failure(try Self.source(empty), "2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z").code
                == .notFound)
        let missing = try ReplayServer { _ in .answer(404, #"{"detail":"Not found."}"#) }
        #expect(
            try await PriceReplay.failure(try Self.source(missing), "2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z").code
                == .notFound)
    }

    @Test(arguments: [("AGILE/../", "C"), ("", "C"), ("AGILE-24-10-01", "I"), ("AGILE-24-10-01", "Q"), ("A B", "CC")])
    func `codes that cannot be are refused`(product: String, region: String) {
        #expect(throws: EnergyError.self) { try OctopusAgile(product: product, region: region) }
    }
}
