import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import Tariffs
import Testing

@Suite struct DemandResponseDocumentTests {
    private static func read(_ text: String, _ scope: DemandResponseEvent.Scope? = nil) throws -> [DemandResponseEvent]
    {
        try DemandResponseDocument.read(Array(text.utf8), scope: scope)
    }

    @Test func `a plain list, as YAML`() throws {
        let events = try Self.read(
            """
            - start: 2026-07-01T16:00:00-07:00
              end: 2026-07-01T21:00:00-07:00
              region: CISO
              reason: Flex Alert
            - id: 7CC68F21-8E5C-4A5F-A90F-D4A7E5C8A2B1
              kind: reduce
              start: 2026-07-02T23:00:00Z
              duration: PT90M
              price: 2
              currency: USD
            """)
        #expect(events.map(\.kind) == [.criticalPeak, .reduce])
        #expect(events.map(\.scope) == [.region("CISO"), .all])
        #expect(events[0].interval.start == (try TariffParts.time("2026-07-01T23:00:00Z")))
        #expect(events.map { $0.interval.milliseconds / .millisecondsPerMinute } == [300, 90])
        #expect(events[1].price?.microsPerKilowattHour == 2_000_000 && events[1].currency == "USD")
        #expect(events[1].id.uuidString == "7CC68F21-8E5C-4A5F-A90F-D4A7E5C8A2B1")
        #expect(events[0].reason == "Flex Alert")
    }

    private static func openADR(_ values: [Int], targets: String = "[]") -> String {
        let intervals = values.enumerated().map {
            #"{"id": \#($0), "payloads": [{"type": "SIMPLE", "values": [\#($1)]}]}"#
        }
        return """
            {"programID": "44", "id": "ev-1", "eventName": "Heat wave", "targets": \(targets),
             "intervalPeriod": {"start": "2026-07-01T23:00:00Z", "duration": "PT1H"},
             "intervals": [\(intervals.joined(separator: ","))]}
            """
    }

    @Test func `OpenADR's levels 1 to 3 are events, 0 is none`() throws {
        let events = try Self.read(Self.openADR([0, 1, 2, 3]))
        #expect(events.map(\.kind) == [.reduce, .criticalPeak, .criticalPeak])
        #expect(events.first?.interval.start == (try TariffParts.time("2026-07-02T00:00:00Z")))
        #expect(events.allSatisfy { $0.reason == "Heat wave" && $0.scope == .all })
        #expect(Set(events.map(\.id)).count == 3)
        #expect(try Self.read(Self.openADR([0, 1, 2, 3])) == events, "the same document means the same events")
        #expect(try Self.read(Self.openADR([1]), .region("X")).map(\.scope) == [.region("X")])
        let area = #"[{"type": "SERVICE_AREA", "values": ["ERCO"]}]"#
        #expect(try Self.read(Self.openADR([1], targets: area)).map(\.scope) == [.region("ERCO")])
    }

    @Test func `an update with level 0, or a notification of its end, ends what was declared before`() throws {
        let before = try Self.read(Self.openADR([2, 1]))
        func update(_ text: String) throws -> (events: [DemandResponseEvent], ended: [UUID]) {
            try DemandResponseDocument.readUpdate(Array(text.utf8))
        }
        let lower = try update(Self.openADR([0, 1]))
        #expect(lower.events == [before[1]] && lower.ended == [before[0].id])
        let deleted = try update(
            #"{"objectType": "EVENT", "operation": "DELETE", "object": \#(Self.openADR([2, 0]))}"#)
        #expect(deleted.events.isEmpty && Set(deleted.ended) == Set(before.map(\.id)))
    }

    @Test(arguments: [
        ("[{\"end\": \"2026-07-01T23:00:00Z\"}]", "[0].start"), ("[{\"start\": \"soon\"}]", "[0].start"),
        ("[{\"start\": \"2026-07-01T23:00:00Z\"}]", "[0].end"),
        ("[{\"start\": \"2026-07-01T23:00:00Z\", \"end\": \"2026-07-01T23:00:00Z\"}]", "[0].end"),
        ("[{\"start\": \"2026-07-01T23:00:00Z\", \"duration\": \"PT0S\"}]", "[0].duration"),
        ("[{\"start\": \"2026-07-01T23:00:00Z\", \"duration\": \"PT1H\", \"kind\": \"panic\"}]", "[0].kind"),
        ("[{\"start\": \"2026-07-01T23:00:00Z\", \"duration\": \"PT1H\", \"venue\": \"home\"}]", "[0].venue"),
        ("{\"x\": 1}", "document"),
    ])
    func `a refusal names the place`(text: String, field: String) throws {
        let error = #expect(throws: EnergyError.self) { try Self.read(text) }
        #expect(error?.violations.map(\.field) == [field])
    }

    @Test func `a target that is no one region is refused`() throws {
        let ven = #"[{"type": "VEN_NAME", "values": ["mine"]}]"#
        let error = #expect(throws: EnergyError.self) { try Self.read(Self.openADR([1], targets: ven)) }
        #expect(error?.violations.map(\.field) == ["targets"])
        #expect(try Self.read(Self.openADR([1], targets: ven), .all).count == 1)
        let level = #expect(throws: EnergyError.self) { try Self.read(Self.openADR([4])) }
        #expect(level?.violations.first?.rule.contains("0 to 3") == true)
    }

    @Test func `a file is read again when it changed, and need not be there`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "events-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "events.yaml")
        let source: any DemandResponseSource = DemandResponseFile(path: file.path)
        let now = Timestamp(unixMilliseconds: 0)
        #expect(source.name == "file:events.yaml")
        #expect(try await source.events(now: now).isEmpty)
        try Data("- {start: 2026-07-01T23:00:00Z, duration: PT1H}".utf8).write(to: file)
        #expect(try await source.events(now: now).count == 1)
        try Data("".utf8).write(to: file)
        #expect(try await source.events(now: now).isEmpty)
        try Data("- {start: never}".utf8).write(to: file)
        await #expect(throws: EnergyError.self) { try await source.events(now: now) }
    }
}
