internal import Foundation
internal import InsightFiles

#if canImport(Glibc)
    internal import Glibc
#endif

/// Where a file goes that is made piece by piece: the first lane at once, later lanes when it is complete. Until then they
/// wait in files without a name, so that memory does not grow with the file and nothing is left behind.
final class ExportSink {
    /// Of a streamed reply: who reads the file through a slow pipe holds it up.
    static let streamTimeout: Duration = .seconds(86_400)
    private static let bufferByteCount = 1 << 16

    private let file: CompleteFile?
    private let output: any CommandOutput
    private var buffer: [UInt8] = []
    private var waiting: [Int: Lane] = [:]

    private struct Lane {
        let handle: FileHandle
        var buffer: [UInt8] = []
    }

    /// - Parameter path: `nil` is standard output.
    init(path: String?, output: any CommandOutput) throws(CommandFailure) {
        if let path { file = try CompleteFile(path: path) } else { file = nil }
        self.output = output
    }

    func write(_ pieces: [FilePiece]) throws(CommandFailure) {
        for piece in pieces {
            guard piece.lane > 0 else {
                try write(Array(piece.text.utf8))
                continue
            }
            var lane: Lane
            if let known = waiting[piece.lane] { lane = known } else { lane = Lane(handle: try Self.namelessFile()) }
            lane.buffer += piece.text.utf8
            if lane.buffer.count >= Self.bufferByteCount {
                try Self.attempt { try lane.handle.write(contentsOf: lane.buffer) }
                lane.buffer = []
            }
            waiting[piece.lane] = lane
        }
    }

    /// Now the file is there, complete.
    func finish() throws(CommandFailure) {
        for (_, lane) in waiting.sorted(by: { $0.key < $1.key }) {
            try Self.attempt { try lane.handle.seek(toOffset: 0) }
            while true {
                var chunk: Data?
                try Self.attempt { chunk = try lane.handle.read(upToCount: Self.bufferByteCount) }
                guard let chunk, !chunk.isEmpty else { break }
                try write(Array(chunk))
            }
            try write(lane.buffer)
        }
        waiting = [:]
        try flush()
        try file?.finish()
    }

    private func write(_ bytes: [UInt8]) throws(CommandFailure) {
        buffer += bytes
        if buffer.count >= Self.bufferByteCount { try flush() }
    }

    private func flush() throws(CommandFailure) {
        guard !buffer.isEmpty else { return }
        defer { buffer = [] }
        guard let file else { return output.bytes(buffer) }
        try file.write(buffer)
    }

    /// Gone when it is closed, however this process ends.
    private static func namelessFile() throws(CommandFailure) -> FileHandle {
        let folder = FileManager.default.temporaryDirectory.path
        var template = Array("\(folder)/energyctl-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw CommandFailure(.failure, "\(folder) cannot be written: \(SystemWords.reason(errno)).")
        }
        unlink(template)
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    private static func attempt(_ body: () throws -> Void) throws(CommandFailure) {
        do { try body() } catch {
            throw CommandFailure(
                .failure,
                "\(FileManager.default.temporaryDirectory.path) cannot be used: \(SystemWords.reason(error)).")
        }
    }
}
