internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation

/// How records stand in a file.
enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case ndjson
    case protobuf

    func encode(_ record: LogRecord) -> Data {
        switch self {
        case .ndjson: return Data((JSONText.line(LogRecordDocument(record)) + "\n").utf8)
        case .protobuf:
            let message = record.encoded()
            return Data(Self.varint(message.count) + message)
        }
    }

    private static func varint(_ number: Int) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), UInt64(number))
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}

/// Writes a new file.
struct LogFileWriter {
    private let handle: FileHandle
    private let path: String

    init(path: String) throws(CommandFailure) {
        self.path = path
        guard !FileManager.default.fileExists(atPath: path) else {
            throw .usage("There is a file \(path) already; name another.")
        }
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw CommandFailure(.failure, "\(path) cannot be written.") }
        self.handle = handle
    }

    func write(_ data: Data) throws(CommandFailure) {
        do { try handle.write(contentsOf: data) } catch { throw failure(error) }
    }

    func close() throws(CommandFailure) {
        do {
            try handle.synchronize()
            try handle.close()
        } catch { throw failure(error) }
    }

    private func failure(_ error: any Error) -> CommandFailure {
        CommandFailure(.failure, "\(path) cannot be written: \(error.localizedDescription)")
    }
}

/// Reads a file of records, one after the other, never much more than one at a time.
final class LogFileReader {
    /// A record is at most a batch of a megabyte; as JSON, a few times that.
    private static let recordBytesMax = 16 << 20
    private static let chunkBytes = 1 << 20

    private let handle: FileHandle
    private let path: String
    private let format: LogFormat
    private var buffer = Data()
    private var isAtEnd = false
    private var number = 0

    /// - Parameter format: `nil` finds it out: JSON begins with a brace, a record's length never is that of one.
    init(path: String, format: LogFormat?) throws(CommandFailure) {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure(.usage, "\(path) cannot be read.")
        }
        self.handle = handle
        self.path = path
        let start: Data?
        do { start = try handle.read(upToCount: 2) } catch {
            throw CommandFailure(.usage, "\(path) cannot be read: \(error.localizedDescription)")
        }
        buffer = start ?? Data()
        self.format = format ?? (buffer.starts(with: Data("{\"".utf8)) ? .ndjson : .protobuf)
    }

    /// - Returns: `nil` at the end of the file.
    func next() throws(CommandFailure) -> LogRecord? {
        number += 1
        return switch format {
        case .ndjson: try nextLine()
        case .protobuf: try nextMessage()
        }
    }

    private func nextLine() throws(CommandFailure) -> LogRecord? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[buffer.startIndex..<end]
                buffer = Data(buffer[(end + 1)...])
                if line.isEmpty { continue }
                return try record(LogRecordDocument(line: Data(line))?.record)
            }
            guard try fill() else {
                guard !buffer.isEmpty else { return nil }
                defer { buffer = Data() }
                return try record(LogRecordDocument(line: buffer)?.record)
            }
        }
    }

    private func nextMessage() throws(CommandFailure) -> LogRecord? {
        while true {
            if let (length, size) = try length(), buffer.count - size >= length {
                let start = buffer.startIndex + size
                let message = [UInt8](buffer[start..<(start + length)])
                buffer = Data(buffer[(start + length)...])
                return try record(try? LogRecord(decoding: message))
            }
            guard try fill() else {
                guard buffer.isEmpty else { return try record(nil) }
                return nil
            }
        }
    }

    /// Of the next message, and of the length itself; `nil` when more has to be read first.
    private func length() throws(CommandFailure) -> (length: Int, size: Int)? {
        var value = 0
        for (place, byte) in buffer.prefix(5).enumerated() {
            value |= Int(byte & 0x7F) << (7 * place)
            guard byte & 0x80 == 0 else { continue }
            if value > Self.recordBytesMax { _ = try record(nil) }
            return (value, place + 1)
        }
        if buffer.count >= 5 { _ = try record(nil) }
        return nil
    }

    private func fill() throws(CommandFailure) -> Bool {
        guard !isAtEnd else { return false }
        if buffer.count > Self.recordBytesMax { _ = try record(nil) }
        let chunk: Data?
        do { chunk = try handle.read(upToCount: Self.chunkBytes) } catch {
            throw CommandFailure(.failure, "\(path) cannot be read: \(error.localizedDescription)")
        }
        guard let chunk, !chunk.isEmpty else {
            isAtEnd = true
            return false
        }
        buffer.append(chunk)
        return true
    }

    private func record(_ record: LogRecord?) throws(CommandFailure) -> LogRecord {
        guard let record else {
            throw CommandFailure(.refused, "Record \(number) of \(path) is no record of a log, as \(format.rawValue).")
        }
        return record
    }
}
