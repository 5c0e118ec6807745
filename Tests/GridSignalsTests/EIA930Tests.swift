import EnergyModel
import Foundation
import GridSignals
import Testing

@Suite struct EIA930Tests {
    struct Row {
        var period: String
        var fuel: String
        var value: String
        var authority = "ERCO"

        var json: String {
            """
            {"period":"\(period)","respondent":"\(authority)","respondent-name":"x","fueltype":"\(fuel)",
             "type-name":"x","value":\(value),"value-units":"megawatthours"}
            """
        }
    }

    static func body(_ rows: [Row], total: String? = nil) -> String {
        #"{"response":{"total":\#(total ?? "\"\(rows.count)\""),"dateFormat":"YYYY-MM-DD\"T\"HH24","data":["#
            + rows.map(\.json).joined(separator: ",") + "]}}"
    }

    static func fetch(
        _ authority: String, _ body: String, kind: SignalKind = .averageDirect, year: String = "2024"
    ) async throws -> FetchedSignals {
        let server = try ReplayServer { _ in .json(body) }
        return try await Replay.fetch(
            try EIA930(authority: authority, key: "geheim", kind: kind, endpoint: server.url),
            try Replay.interval("\(year)-01-01T00:00:00Z", "\(year)-01-02T00:00:00Z"),
            now: try Replay.instant("\(year)-01-03T00:00:00Z"))
    }

    @Test func `the mix becomes an intensity by the documented factors`() async throws {
        let rows = [("COL", "100"), ("NG", "\"200\""), ("NUC", "100"), ("SUN", "-3")].map {
            Row(period: "2024-01-01T05", fuel: $0.0, value: $0.1)
        }
        let direct = try await Self.fetch("ERCO", Self.body(rows))
        // 100 of coal and 200 of gas among 400.
        #expect(direct.values == [375])
        // ERCO labels by the end.
        #expect(direct.starts == ["2024-01-01T04:00:00Z"])
        #expect(direct.sorted.allSatisfy { !$0.isEstimated })
        let lifecycle = try await Self.fetch("ERCO", Self.body(rows), kind: .averageLifecycle)
        #expect(lifecycle.values == [453])
    }

    @Test func `fuel codes that are new count as other, storage not at all`() async throws {
        let rows = [("NG", "100"), ("BAT", "-50"), ("PS", "40"), ("SNB", "100"), ("XYZ", "100"), ("GEO", "100")].map {
            Row(period: "2024-01-01T05", fuel: $0.0, value: $0.1)
        }
        #expect(try await Self.fetch("ERCO", Self.body(rows)).values == [236.25])
    }

    @Test func `an hour that lacks a fuel is left out, a null is lacking`() async throws {
        let rows = (1...3).flatMap { hour in
            [
                Row(period: "2024-01-01T0\(hour)", fuel: "NG", value: "100"),
                Row(period: "2024-01-01T0\(hour)", fuel: "WND", value: hour == 2 ? "null" : "100"),
            ]
        }
        let fetched = try await Self.fetch("ERCO", Self.body(rows))
        #expect(fetched.starts == ["2024-01-01T00:00:00Z", "2024-01-01T02:00:00Z"])
    }

    @Test(arguments: [
        ("CISO", "2021", "05"), ("CISO", "2024", "04"), ("PJM", "2021", "05"), ("PJM", "2024", "05"),
        ("TEPC", "2021", "05"), ("TEPC", "2024", "04"), ("ISNE", "2021", "04"), ("ERCO", "2024", "04"),
    ])
    func `labels are starts or ends, by authority and year`(authority: String, year: String, hour: String) async throws
    {
        let row = Row(period: "\(year)-01-01T05", fuel: "NG", value: "1", authority: authority)
        let fetched = try await Self.fetch(authority, Self.body([row]), year: year)
        #expect(fetched.starts == ["\(year)-01-01T\(hour):00:00Z"])
    }

    @Test func `all pages are read, in order`() async throws {
        let rows = (0..<24).map { Row(period: String(format: "2024-01-01T%02d", $0), fuel: "NG", value: "100") }
        let server = try ReplayServer { request in
            let offset = Int(request.query["offset"] ?? "") ?? 0
            return .json(Self.body(Array(rows.dropFirst(offset).prefix(10)), total: "24"))
        }
        let fetched = try await Replay.fetch(
            try EIA930(authority: "ERCO", key: "geheim", endpoint: server.url),
            try Replay.interval("2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z"),
            now: try Replay.instant("2024-01-03T00:00:00Z"))
        #expect(fetched.points.count == 24)
        #expect(server.requests.map { $0.query["offset"] } == ["0", "10", "20"])
        let query = try #require(server.requests.first).query
        #expect(query["start"] == "2023-12-31T23")
        #expect(query["end"] == "2024-01-02T01")
        #expect(query["sort[0][column]"] == "period")
        #expect(query["api_key"] == "geheim")
        // Pages without end are no answer.
        let endless = try ReplayServer { _ in .json(Self.body([rows[0]], total: "999999999")) }
        await #expect(throws: EnergyError.self) {
            try await Replay.fetch(
                try EIA930(authority: "ERCO", key: "geheim", endpoint: endless.url),
                try Replay.interval("2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z"),
                now: try Replay.instant("2024-01-03T00:00:00Z"))
        }
        #expect(endless.requests.count == 20)
    }

    @Test func `the key is in no error`() async throws {
        let server = try ReplayServer { _ in .answer(403, "API_KEY_INVALID geheim") }
        let error = await #expect(throws: EnergyError.self) {
            try await Replay.fetch(
                try EIA930(authority: "ERCO", key: "geheim", endpoint: server.url),
                try Replay.interval("2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z"),
                now: try Replay.instant("2024-01-03T00:00:00Z"))
        }
        #expect(error?.code == .denied)
        #expect(error?.message.contains("geheim") == false)
    }

    /// Two years of two authorities, whose published intensity the factors must give.
    @Test(
        .enabled(if: RecordedGrid.isThere, "needs ../shared/data/us-grid-carbon-hourly"), arguments: ["CISO", "PJM"])
    func `the factors reproduce the published intensity`(authority: String) async throws {
        let path = RecordedGrid.path.replacing("CISO.csv", with: "\(authority).csv")
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst()
        let fuels = ["COL", "NG", "NUC", "OIL", "WAT", "SUN", "WND", "OTH"]
        var (rows, published): ([Row], [(direct: Double, lifecycle: Double)]) = ([], [])
        // An hour in ten days, so that all seasons and hours are there.
        for line in stride(from: lines.startIndex, to: lines.endIndex, by: 241).map({ lines[$0] }) {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            published.append((Double(fields[1]) ?? 0, Double(fields[2]) ?? 0))
            for (fuel, value) in zip(fuels, fields[3...]) where !value.isEmpty {
                rows.append(Row(period: String(fields[0].prefix(13)), fuel: fuel, value: value, authority: authority))
            }
        }
        for kind in [SignalKind.averageDirect, .averageLifecycle] {
            let fetched = try await Self.fetch(authority, Self.body(rows), kind: kind)
            #expect(fetched.points.count == published.count)
            for (point, expected) in zip(fetched.sorted, published) {
                #expect(abs(point.value - (kind == .averageDirect ? expected.direct : expected.lifecycle)) < 0.02)
            }
        }
    }
}
