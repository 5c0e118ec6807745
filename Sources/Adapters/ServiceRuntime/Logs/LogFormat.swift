internal import Foundation
internal import Logging

/// How a log line looks.
public enum LogFormat: String, CaseIterable, Sendable {
    /// Text; coloured on a terminal unless `NO_COLOR` is set.
    case text
    /// One JSON object a line.
    case json
}

/// One line of log as text, without its newline. Whatever an outsider put into a value stays inside the line: control
/// characters are escaped.
struct LogLine {
    let unixMilliseconds: Int64
    let level: Logger.Level
    let label: String
    let message: String
    /// Sorted by key, so that equal events give equal lines.
    let metadata: [(key: String, value: Logger.MetadataValue)]

    /// `2026-11-21T07:16:35.120Z info scheduler: schedule changed venue=… device=car`
    func text(isColoured: Bool) -> String {
        let word = level.rawValue
        let shown = isColoured ? "\u{1B}[\(colour)m\(word)\u{1B}[0m" : word
        var line = "\(UTCText.iso8601(unixMilliseconds: unixMilliseconds)) \(shown) \(label): "
        line += Self.isPlain(message, allowsSpaces: true) ? message : JSONText.quoted(message)
        for (key, value) in metadata {
            let text = "\(value)"
            line += " \(key)=\(Self.isPlain(text, allowsSpaces: false) ? text : JSONText.quoted(text))"
        }
        return line
    }

    func json() -> String {
        var line = #"{"time":"\#(UTCText.iso8601(unixMilliseconds: unixMilliseconds))","level":"\#(level.rawValue)""#
        line += #","logger":\#(JSONText.quoted(label)),"message":\#(JSONText.quoted(message))"#
        for (key, value) in metadata { line += ",\(JSONText.quoted(key)):\(JSONText.value(value))" }
        return line + "}"
    }

    private var colour: String {
        switch level {
        case .trace, .debug: "2"
        case .info: "36"
        case .notice: "32"
        case .warning: "33"
        case .error, .critical: "31"
        }
    }

    private static func isPlain(_ text: String, allowsSpaces: Bool) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy {
                $0.value >= 0x20 && $0.value != 0x7F && !(0x80...0x9F).contains($0.value) && $0 != "\""
                    && (allowsSpaces || $0 != " ")
            }
    }
}

enum JSONText {
    static func value(_ value: Logger.MetadataValue) -> String {
        switch value {
        case .string(let text): quoted(text)
        case .stringConvertible(let value): quoted(value.description)
        case .array(let values): "[" + values.map(Self.value).joined(separator: ",") + "]"
        case .dictionary(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\(Self.value($0.value))" }
                .joined(separator: ",") + "}"
        }
    }

    static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
                let hex = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}

enum UTCText {
    /// `2026-11-21T07:16:35.120Z`
    static func iso8601(unixMilliseconds: Int64) -> String {
        var seconds = time_t(unixMilliseconds / 1_000)
        var milliseconds = unixMilliseconds % 1_000
        if milliseconds < 0 { (seconds, milliseconds) = (seconds - 1, milliseconds + 1_000) }
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date =
            "\(padded(Int(parts.tm_year) + 1900, 4))-\(padded(Int(parts.tm_mon) + 1, 2))-\(padded(Int(parts.tm_mday), 2))"
        let time = "\(padded(Int(parts.tm_hour), 2)):\(padded(Int(parts.tm_min), 2)):\(padded(Int(parts.tm_sec), 2))"
        return "\(date)T\(time).\(padded(Int(milliseconds), 3))Z"
    }
}
