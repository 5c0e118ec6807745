internal import EnergyModel
internal import EnergyWire

/// Reads a file of records, one after the other, never much more than one at a time. What is no record is said, and reading
/// goes on behind it where that can be found.
final class LogFileReader {
    /// A record is at most a batch of a megabyte; as JSON, a few times that.
    private static let recordBytesMax = 16 << 20

    let format: LogFormat
    /// Where the entry stands that was read last, counted from 1; empty lines count.
    private(set) var number = 0

    private let file: BufferedFile
    private var isBroken = false

    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - format: `nil` finds it out.
    init(path: String, format: LogFormat?) throws(CommandFailure) {
        file = try BufferedFile(path: path)
        if let format {
            self.format = format
        } else {
            while file.rest.count < LogFormat.startByteCount, try file.fill() {}
            self.format = LogFormat(startingWith: file.rest)
        }
    }

    /// `line 3`
    var place: String { (format == .ndjson ? "line " : "message ") + "\(number)" }

    /// - Returns: `nil` at the end of the file.
    func next() throws(CommandFailure) -> LogFileEntry? {
        switch format {
        case .ndjson: try nextLine()
        case .protobuf: try nextMessage()
        }
    }

    // MARK: Lines

    private func nextLine() throws(CommandFailure) -> LogFileEntry? {
        while true {
            guard let line = try takeLine() else { return nil }
            number += 1
            guard let line else { return .fault(LogFault("is longer than \(Self.recordBytesMax >> 20) MiB")) }
            if line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
            do throws(LogFault) { return .record(try LogRecordDocument(line: line).record) } catch {
                return .fault(error)
            }
        }
    }

    /// - Returns: `nil` at the end of the file; within it, `nil` for one that is too long.
    private func takeLine() throws(CommandFailure) -> [UInt8]?? {
        var isTooLong = false
        var searched = 0
        while true {
            let rest = file.rest
            if let end = rest.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(rest[..<end])
                file.take(line.count + 1)
                return .some(isTooLong ? nil : line)
            }
            searched = rest.count
            if searched > Self.recordBytesMax {
                file.take(searched)
                (isTooLong, searched) = (true, 0)
            }
            guard try !file.fill() else { continue }
            let last = Array(file.rest)
            file.take(last.count)
            return last.isEmpty && !isTooLong ? nil : .some(isTooLong ? nil : last)
        }
    }

    // MARK: Messages

    private func nextMessage() throws(CommandFailure) -> LogFileEntry? {
        guard !isBroken else { return nil }
        while true {
            switch length() {
            case .known(let length, let size) where file.rest.count - size >= length:
                number += 1
                let message = Array(file.rest.dropFirst(size).prefix(length))
                file.take(size + length)
                do throws(EnergyError) { return .record(try LogRecord(decoding: message)) } catch {
                    return .fault(LogFault("is no LogRecord: \(error.message)"))
                }
            case .wrong: return breakOff("begins with no length, at byte \(file.offset): nothing after it can be read")
            case .known, .incomplete:
                guard try !file.fill() else { continue }
                return file.rest.isEmpty ? nil : breakOff("is cut off: the file ends in it, at byte \(file.offset)")
            }
        }
    }

    private func breakOff(_ reason: String) -> LogFileEntry {
        isBroken = true
        number += 1
        return .fault(LogFault(reason))
    }

    private enum Length {
        /// Of the next message, and of the length itself.
        case known(Int, size: Int)
        case incomplete
        case wrong
    }

    private func length() -> Length {
        var value = 0
        for (place, byte) in file.rest.prefix(5).enumerated() {
            value |= Int(byte & 0x7F) << (7 * place)
            guard byte & 0x80 == 0 else { continue }
            return value > Self.recordBytesMax ? .wrong : .known(value, size: place + 1)
        }
        return file.rest.count >= 5 ? .wrong : .incomplete
    }
}
