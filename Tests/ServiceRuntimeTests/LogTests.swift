import EnergyModel
import Foundation
import Logging
import Synchronization
import Testing

@testable import ServiceRuntime

private struct FixedClock: WallClock {
    let now = Timestamp(unixMilliseconds: 1_795_245_395_007)
}

@Suite struct LogTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private func logger(_ format: LogFormat, isColoured: Bool = false) -> (Logger, Lines) {
        let lines = Lines()
        let handler = ServiceLogHandler(
            label: "scheduler", level: .info, format: format, isColoured: isColoured, clock: FixedClock()
        ) { lines.add($0) }
        return (Logger(label: "scheduler") { _ in handler }, lines)
    }

    @Test func `a text line has time, level, name, message and sorted metadata`() {
        let (logger, lines) = logger(.text)
        logger.info("planned", metadata: ["venue": "home", "device": "car 1", "empty": ""])
        #expect(
            lines.all == ["2026-11-21T07:16:35.007Z info scheduler: planned device=\"car 1\" empty=\"\" venue=home\n"])
    }

    @Test func `nothing that is logged can begin a line of its own or colour the terminal`() {
        let (logger, lines) = logger(.text)
        logger.info("a\nb", metadata: ["name": "x\u{1B}[31m\u{9B}31m\r\n2026 info"])
        #expect(lines.all.count == 1)
        #expect(lines.all[0].dropLast().unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) })
    }

    @Test func `a JSON line is one JSON object`() throws {
        let (logger, lines) = logger(.json)
        logger.warning("a \"b\"\n", metadata: ["list": ["1", "2"], "map": ["k": "v\u{1}"]])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(lines.all[0].utf8)) as? [String: Any])
        #expect(object["time"] as? String == "2026-11-21T07:16:35.007Z")
        #expect(object["level"] as? String == "warning")
        #expect(object["logger"] as? String == "scheduler")
        #expect(object["message"] as? String == "a \"b\"\n")
        #expect(object["list"] as? [String] == ["1", "2"])
        #expect(object["map"] as? [String: String] == ["k": "v\u{1}"])
        #expect(lines.all[0].filter { $0 == "\n" }.count == 1)
    }

    @Test func `events below the level are not written`() {
        let (logger, lines) = logger(.text)
        logger.debug("unseen")
        #expect(lines.all.isEmpty)
    }

    @Test func `colour is used only where it is asked for`() {
        let (logger, lines) = logger(.text, isColoured: true)
        logger.error("bad")
        #expect(lines.all[0].contains("\u{1B}[31merror\u{1B}[0m"))
        #expect(!ServiceLogHandler.isColoured(["NO_COLOR": "1"]))
        #expect(!ServiceLogHandler.isColoured(["TERM": "dumb"]))
    }

    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
    ])
    func `times are UTC to the millisecond`(unixMilliseconds: Int64, text: String) {
        #expect(UTCText.iso8601(unixMilliseconds: unixMilliseconds) == text)
    }
}
