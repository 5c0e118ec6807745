import ArgumentParser
import EnergyModel
import EnergyTestSupport
import EnergyWire
import Foundation
import Testing

@testable import EnergyCommands

/// Files of `log export` and `log import`.
struct LogFileTests {
    private let home = FakeHome()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run<Command: EnergyCommand>(
        _: Command.Type, in home: FakeHome? = nil, _ arguments: String...
    ) async throws {
        let command = try await RootCommand.asyncParseAsRoot(["log"] + arguments)
        try await #require(command as? Command).perform(in: (home ?? self.home).context())
    }

    private func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        try Data(bytes).write(to: URL(filePath: folder.path(name)))
        return folder.path(name)
    }

    private func lines(_ records: [LogRecord]) -> [String] {
        records.map { String(decoding: LogFormat.ndjson.encode($0).dropLast(), as: UTF8.self) }
    }

    /// Not a whole second: it must be kept to the millisecond.
    private static let received = EventSamples.now.advanced(byMilliseconds: 7)
    private let samples = LogSamples.make(received: received)

    private func entries(_ file: String, _ format: LogFormat? = nil) throws -> [LogFileEntry] {
        let reader = try LogFileReader(path: file, format: format)
        var entries: [LogFileEntry] = []
        while let entry = try reader.next() { entries.append(entry) }
        return entries
    }

    // MARK: Export

    @Test(arguments: LogFormat.allCases)
    func `what is exported is read back to what it was`(format: LogFormat) async throws {
        let file = folder.path("log.\(format.rawValue)")
        home.change { $0.log = samples }
        try await run(LogExport.self, "export", "--format", format.rawValue, "--output", file)
        #expect(try entries(file).map(\.record) == samples)
        #expect(home.output.notes == ["2 records"])
        await #expect(throws: CommandFailure.self) {
            try await run(LogExport.self, "export", "--format", format.rawValue, "--output", file)
        }
    }

    @Test func `a line has ids in lower case and times as ISO 8601`() async throws {
        let line = lines(samples)[1]
        // Ids may be of digits alone up to there, which are in neither case.
        #expect(line.matches(of: /[0-9A-F]{8}-[0-9A-F]{4}/).allSatisfy { $0.output.allSatisfy { !$0.isLetter } })
        #expect(line.contains("\"received\":\"2026-03-01T12:00:00.007+00:00\""), "\(line.suffix(120))")
        #expect(line.contains("\"estimated_completion\":\"") && !line.contains("unix_ms"))
    }

    @Test(arguments: LogFormat.allCases)
    func `an export can be piped on`(format: LogFormat) async throws {
        home.change { $0.log = samples }
        try await run(LogExport.self, "export", "--format", format.rawValue)
        #expect(home.output.written == samples.flatMap { format.encode($0) })
    }

    @Test func `protobuf is not put on a screen`() async throws {
        let person = FakeHome(isTerminal: true)
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(LogExport.self, in: person, "export", "--format", "protobuf")
        }
        #expect(failure?.exit == .usage)
    }

    @Test func `an export says in JSON what it wrote`() async throws {
        home.change { $0.log = samples }
        try await run(LogExport.self, "export", "--json", "--output", folder.path("x"))
        let report = try JSONDecoder().decode([String: JSONValue].self, from: Data(home.output.text.utf8))
        #expect(report["records"] == .number(2) && report["format"] == .text("ndjson"))
    }

    @Test func `a file that cannot be made is told with the reason`() async throws {
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(LogExport.self, "export", "--output", folder.path("none/x"))
        }
        #expect(failure?.message.hasSuffix("none/x cannot be written: no such file or directory.") == true)
    }

    // MARK: Reading

    @Test func `times as earlier exports wrote them are read`() throws {
        let new = lines([samples[1]])[0]
        let old = new.replacing(/"(timestamp|received|estimated_completion|scheduled_start)":"([^"]*)"/) { match in
            "\"\(match.1)_unix_ms\":\(Timestamp(iso8601: String(match.2))?.unixMilliseconds ?? 0)"
        }
        #expect(old.contains("timestamp_unix_ms") && old != new)
        #expect(try entries(file("old", old.utf8)).map(\.record) == [samples[1]])
    }

    @Test(arguments: [
        ("{}", "partition is missing"), ("[]", "must be an object"), ("no", "is no JSON"),
        ("{\"partition\":", "is no JSON"),
        ("{\"partition\":\"1\"}", "partition must be a whole number"),
    ])
    func `a line that is no record says what is wrong with it`(line: String, fault: String) throws {
        let entries = try entries(file("bad", "\(line)\n".utf8))
        #expect(entries.map { $0.fault?.description } == [fault])
    }

    @Test(arguments: [
        ("\"direction\":\"imported\"", "\"direction\":\"up\"", "events[0].vehicle_load.direction must be one of"),
        ("\"state\":\"begin\"", "\"state\":3", "events[0].vehicle_load.session.state must be text"),
        (
            "\"type\":\"electric_vehicle\"", "\"type\":\"bus\"",
            "events[0].device.type must be one of electric_vehicle, hvac, but is \"bus\""
        ),
        ("\"power_mw\":0", "\"power_mw\":1e30", "has a number that is out of range, or not whole"),
        ("\"vehicle_load\"", "\"load\"", "events[0] must have one of vehicle_load, hvac_load and vehicle_status"),
        ("\"venue_id\":\"", "\"venue_id\":\"x", "venue_id must be a UUID"),
        ("\"timestamp\":\"2", "\"timestamp\":\"x", "events[0].timestamp must be a time with its offset"),
    ])
    func `a wrong field is named by its path`(good: String, bad: String, fault: String) throws {
        let line = lines([LogSamples.record(1, [EventSamples.vehicle(.begin)], received: Self.received)])[0]
        let range = try #require(line.range(of: good))
        let found = try entries(file("bad", line.replacingCharacters(in: range, with: bad).utf8))
        #expect(found.first?.fault?.description.hasPrefix(fault) == true, "\(String(describing: found.first?.fault))")
    }

    @Test(arguments: UInt64(0)..<60)
    func `whatever is in a file, each of its entries is a record or told`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let format: LogFormat = seed % 2 == 0 ? .ndjson : .protobuf
        var bytes = samples.flatMap { format.encode($0) }
        for _ in 0..<4 {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
        let entries = try entries(file("broken", bytes), format)
        for entry in entries { #expect((entry.record == nil) != (entry.fault == nil)) }
        #expect(entries.count <= samples.count + 4)
    }

    @Test func `a line without end is told, and the next one is read`() throws {
        let long = String(repeating: "x", count: 18 << 20)
        let entries = try entries(file("long", "\(long)\n\(lines(samples)[0])\n".utf8))
        #expect(entries.map { $0.fault?.description } == ["is longer than 16 MiB", nil])
    }

    // MARK: Import

    @Test func `importing submits each record and says what became of it`() async throws {
        let file = try file("log", samples.flatMap { LogFormat.ndjson.encode($0) })
        home.change { $0.known = [samples[0].events[0].id] }
        try await run(LogImport.self, "import", file)
        #expect(home.output.lines == ["10 events stored, 1 known before (2 records)."])
        #expect(home.now.submitted.map(\.events) == samples.map(\.events))
    }

    @Test func `a bad line and a refused record are told by their line, and the rest is stored`() async throws {
        let refused = LogSamples.record(
            9, [EventSamples.status(device: Device(id: "car-1", name: "refused", kind: .electricVehicle))],
            received: Self.received)
        let file = try file(
            "log", (["", "{}"] + lines([samples[0], refused, samples[1]])).joined(separator: "\n").utf8)
        let failure = await #expect(throws: CommandFailure.self) { try await run(LogImport.self, "import", file) }
        #expect(failure?.exit == .refused)
        #expect(home.output.notes.first == "line 2: partition is missing")
        #expect(home.output.notes.last?.hasPrefix("line 4 (record 9 of partition 1): event-ingestor: ") == true)
        #expect(
            home.output.lines == [
                "11 events stored, 0 known before (4 records). Not stored: 1 record that cannot be read, 1 refused."
            ])
        #expect(home.now.submitted.map(\.events) == samples.map(\.events))
    }

    @Test func `an import says in JSON what became of each record`() async throws {
        let file = try file("log", (["{}"] + lines(samples)).joined(separator: "\n").utf8)
        await #expect(throws: CommandFailure.self) { try await run(LogImport.self, "import", "--json", file) }
        let report = try JSONDecoder().decode([String: JSONValue].self, from: Data(home.output.text.utf8))
        #expect(report["events_stored"] == .number(11) && report["records_unreadable"] == .number(1))
        #expect(
            report["faults"]
                == .list([
                    .object(["place": .text("line 1"), "field": .text("partition"), "reason": .text("is missing")])
                ]))
        #expect(home.output.notes == [])
    }

    @Test func `faults without end are counted, and told a hundred times`() async throws {
        let file = try file("log", String(repeating: "{}\n", count: 300).utf8)
        await #expect(throws: CommandFailure.self) { try await run(LogImport.self, "import", file) }
        #expect(home.output.notes.count == 101)
        #expect(home.output.text.contains("300 records that cannot be read"))
    }

    @Test func `a folder, and a file that is not there, are told with the reason`() async throws {
        let folder = await #expect(throws: CommandFailure.self) {
            try await run(LogImport.self, "import", self.folder.path(""))
        }
        #expect(folder?.message.hasSuffix("cannot be read: is a directory.") == true)
        let none = await #expect(throws: CommandFailure.self) {
            try await run(LogImport.self, "import", self.folder.path("none"))
        }
        #expect(none?.message.hasSuffix("cannot be read: no such file or directory.") == true)
    }
}

extension LogFileEntry {
    fileprivate var record: LogRecord? { if case .record(let record) = self { record } else { nil } }
    fileprivate var fault: LogFault? { if case .fault(let fault) = self { fault } else { nil } }
}

/// Any JSON.
private enum JSONValue: Decodable, Equatable {
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }
}
