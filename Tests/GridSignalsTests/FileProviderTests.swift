import EnergyModel
import EnergyStore
import Foundation
import GridSignals
import Testing

@Suite struct FileProviderTests {
    static let hourly = FileFormat(label: .start, content: .forecast)

    static func time(_ text: String) throws -> Timestamp {
        Timestamp(try #require(ISO8601DateFormatter().date(from: text), "\(text)"))
    }
    static func interval(_ start: String, _ end: String) throws -> Interval {
        try #require(Interval(start: try time(start), end: try time(end)))
    }

    /// A file in a folder of its own.
    static func with(
        _ text: String, ending: String = "csv", _ body: (_ path: String) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "grid-signals-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "signal.\(ending)")
        try Data(text.utf8).write(to: file)
        try await body(file.path)
    }

    static func points(
        _ text: String, ending: String = "csv", format: FileFormat = hourly, region: String = "X",
        now: String = "2021-07-02T00:00:00Z"
    ) async throws -> [SignalPoint] {
        var result: [SignalPoint] = []
        // With a line break at its end, so that the last line counts at once.
        try await with(text + "\n", ending: ending) { path in
            let report = try await FileProvider(path: path, format: format).signals(
                region: region, in: try interval("2021-01-01T00:00:00Z", "2022-01-01T00:00:00Z"), now: try time(now))
            result = report.series.points
        }
        return result
    }

    static func refusal(_ text: String, ending: String = "csv", format: FileFormat = hourly) async throws -> String {
        let error = await #expect(throws: EnergyError.self) {
            try await points(text, ending: ending, format: format)
        }
        return error?.message ?? ""
    }

    static let heading = "utc_time,ci_direct_g_per_kwh,more\n"

    @Test func `labels name the start or the end of an hour`() async throws {
        let text = Self.heading + "2021-07-01T05:00:00Z,100,x\n"
        let start = try await Self.points(text)
        let end = try await Self.points(text, format: FileFormat(label: .end, content: .forecast))
        #expect(start.map(\.interval) == [try Self.interval("2021-07-01T05:00:00Z", "2021-07-01T06:00:00Z")])
        #expect(end.map(\.interval) == [try Self.interval("2021-07-01T04:00:00Z", "2021-07-01T05:00:00Z")])
    }

    @Test func `takes quotes, semicolons, times without seconds, gaps, any order, other units`() async throws {
        let text = """
            \u{FEFF}when;"the ""value""\";x\r
            2021-07-01 02:00;0.3;a\r
            \r
            "2021-07-01T00:00Z";"0.1";a\r
            2021-07-01T03:00:00.000+02:00;;a\r
            2021-07-01T05:00:00+02:00; 0 ;
            """
        let format = FileFormat(
            label: .start, unit: .kilogramsPerKilowattHour, content: .forecast, timeColumn: "when",
            valueColumn: "the \"value\"")
        let points = try await Self.points(text, format: format)
        #expect(points.map(\.value) == [100, 300, 0])
        #expect(
            points.map(\.interval.start) == [
                try Self.time("2021-07-01T00:00:00Z"), try Self.time("2021-07-01T02:00:00Z"),
                try Self.time("2021-07-01T03:00:00Z"),
            ])
    }

    @Test func `local labels follow the clock through the hour that repeats`() async throws {
        let zone = try #require(TimeZone(identifier: "America/Chicago"))
        let format = FileFormat(label: .start, timeZone: zone, content: .forecast)
        let hours = ["00", "01", "01", "02"].map { "2021-11-07 \($0):00,1" }
        let points = try await Self.points(Self.heading + hours.joined(separator: "\n"), format: format)
        #expect(try points.map(\.interval.start) == (5...8).map { try Self.time("2021-11-07T0\($0):00:00Z") })
        let skipped = try await Self.refusal(Self.heading + "2021-03-14 02:30,1", format: format)
        #expect(skipped.contains("line 2") && skipped.contains("does not exist in America/Chicago"))
    }

    @Test func `measured values are known only once they are over`() async throws {
        let rows = (0..<6).map { "2021-07-01T0\($0):00:00Z,\($0)" }
        let format = FileFormat(label: .start, content: .measured(lagMilliseconds: .millisecondsPerHour))
        let points = try await Self.points(
            Self.heading + rows.joined(separator: "\n"), format: format, now: "2021-07-01T04:30:00Z")
        #expect(points.map(\.value) == [0, 1, 2])
    }

    @Test(arguments: [
        ("", "line 1", "a heading is needed"),
        ("a,b\n", "line 1", "no column \"utc_time\"; there are: a, b"),
        (heading + "2021-07-01T00:00:00Z\n", "line 2", "has 1 columns"),
        (heading + "\n01/07/2021 00:00,1\n", "line 3", "must be like 2021-07-01T00:00:00Z"),
        (heading + "2021-02-29T00:00:00Z,1\n", "line 2", "must be like"),
        (heading + "2021-07-01T00:00:00Z,-1\n", "line 2", "from 0 to 100,000 g/kWh"),
        (heading + "2021-07-01T00:00:00Z,nan\n", "line 2", "from 0 to 100,000 g/kWh"),
        (heading + "2021-07-01T00:00:00Z,12abc\n", "line 2", "must be a number"),
    ])
    func `a mistake is told with file, line and what is allowed`(text: String, line: String, rule: String) async throws
    {
        let message = try await Self.refusal(text)
        #expect(message.contains("signal.csv, \(line)") && message.contains(rule), "\(message)")
    }

    @Test func `JSON comes as a list or as the file of the carbon-aware-sdk`() async throws {
        let list = """
            [{"start": "2021-07-01T00:00Z", "end": "2021-07-01T00:30Z", "value": 100},
             {"start": "2021-07-01T00:30Z", "duration": 1800, "value": 200},
             {"start": "2021-07-01T01:00Z", "duration": "PT15M", "value": 300},
             {"start": "2021-07-01T02:00Z", "value": null}]
            """
        let points = try await Self.points(list, ending: "json")
        #expect(points.map(\.value) == [100, 200, 300])
        #expect(points.map { $0.interval.milliseconds / 60_000 } == [30, 30, 15])
        let sdk = """
            {"Emissions": [{"Location": "eastus", "Time": "2021-07-01T00:00:00+00:00", "Rating": 65.5, "Duration": "08:00:00"},
             {"Location": "westus", "Time": "2021-07-01T08:00:00+00:00", "Rating": 1, "Duration": "08:00:00"}]}
            """
        let east = try await Self.points(sdk, ending: "json", region: "EASTUS")
        #expect(east.map(\.value) == [65.5])
        #expect(east.map { $0.interval.milliseconds / .millisecondsPerHour } == [8])
    }

    @Test(arguments: [
        ("{", "the whole"), ("{\"a\": 1}", "values"), ("[1]", "row 1"), ("[{\"value\": 1}]", "row 1"),
        ("[{\"start\": \"2021-07-01T00:00Z\", \"value\": \"x\"}]", "row 1"),
        ("[{\"start\": \"2021-07-01T00:00Z\", \"duration\": \"soon\", \"value\": 1}]", "row 1"),
        ("[{\"start\": \"2021-07-01T00:00Z\", \"end\": \"2021-07-01T00:00Z\", \"value\": 1}]", "row 1"),
    ])
    func `a mistake in JSON is told with its row`(text: String, place: String) async throws {
        let message = try await Self.refusal(text, ending: "json")
        #expect(message.contains("signal.json") && message.contains(place), "\(message)")
    }

    @Test func `a file is read again when it changed, and errors do not stick`() async throws {
        try await Self.with(Self.heading + "2021-07-01T00:00:00Z,1\n") { path in
            let provider = try FileProvider(path: path, format: Self.hourly)
            let year = try Self.interval("2021-01-01T00:00:00Z", "2022-01-01T00:00:00Z")
            func values() async throws -> [Double] {
                try await provider.signals(region: "X", in: year, now: year.end).series.points.map(\.value)
            }
            #expect(try await values() == [1])
            try Data((Self.heading + "2021-07-01T00:00:00Z,22\n").utf8).write(to: URL(filePath: path))
            #expect(try await values() == [22])
            try Data("broken\n".utf8).write(to: URL(filePath: path))
            await #expect(throws: EnergyError.self) { try await values() }
            try FileManager.default.removeItem(atPath: path)
            let gone = await #expect(throws: EnergyError.self) { try await values() }
            #expect(gone?.code == .unavailable)
            try Data((Self.heading + "2021-07-01T00:00:00Z,333\n").utf8).write(to: URL(filePath: path))
            #expect(try await values() == [333])
        }
    }

    @Test(arguments: ["2021-07-01T01:00:00Z,15", "2021-07-01T01:00:00Z,153,x", "2021-07-01T01"])
    func `a last line without a line break is still being written, until the file rests`(line: String) async throws {
        try await Self.with(Self.heading + "2021-07-01T00:00:00Z,1,x\n" + line) { path in
            let provider = try FileProvider(path: path, format: Self.hourly)
            try await provider.check(region: "X")
            let year = try Self.interval("2021-01-01T00:00:00Z", "2022-01-01T00:00:00Z")
            func values(_ seconds: Int64) async throws -> [Double] {
                try await provider.signals(
                    region: "X", in: year, now: year.end.advanced(byMilliseconds: seconds * 1_000)
                ).series.points.map(\.value)
            }
            #expect(try await values(0) == [1])
            #expect(try await values(29) == [1])
            // Fewer columns than the heading has are half a line for good.
            #expect(try await values(30) == (line.hasSuffix("x") ? [1, 153] : [1]))
            #expect(try await values(31) == (line.hasSuffix("x") ? [1, 153] : [1]))
        }
    }

    @Test func `a row of JSON without a value names what is missing, and null is a gap`() async throws {
        let row = #"[{"start": "2021-07-01T00:00:00Z", "gco2": 1}]"#
        let message = try await Self.refusal(row, ending: "json")
        #expect(message.contains("row 1") && message.contains("needs \"value\""), "\(message)")
        let gap = #"[{"start": "2021-07-01T00:00:00Z", "value": null}]"#
        #expect(try await Self.points(gap, ending: "json").isEmpty)
    }

    @Test func `a file is checked before anybody waits for its values`() async throws {
        try await Self.with(Self.heading + "2021-07-01T00:00:00Z,1\n") { path in
            let provider = try FileProvider(path: path, format: Self.hourly)
            try await provider.check(region: "X")
            try Data(Self.heading.utf8).write(to: URL(filePath: path))
            let empty = await #expect(throws: EnergyError.self) { try await provider.check(region: "X") }
            #expect(empty?.message == "\(path): has no value for the region X")
            let absent = try FileProvider(path: path + ".csv", format: Self.hourly)
            let gone = await #expect(throws: EnergyError.self) { try await absent.check(region: "X") }
            #expect(gone?.message == "\(path).csv: there is no such file, or this user may not read it")
        }
    }

    @Test func `other endings and steps are refused before anything is read`() {
        #expect(throws: EnergyError.self) { try FileProvider(path: "/nowhere/signal.xml", format: Self.hourly) }
        #expect(throws: EnergyError.self) {
            try FileProvider(path: "/nowhere/signal.csv", format: FileFormat(label: .start, stepMilliseconds: 0))
        }
    }
}
