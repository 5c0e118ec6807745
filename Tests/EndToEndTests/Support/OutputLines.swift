import Foundation
import Synchronization

/// The lines that a process writes, from its first one on.
final class OutputLines: Sendable {
    private struct State {
        var lines: [String] = []
        var isClosed = false
        var readers: [Int: AsyncStream<String>.Continuation] = [:]
        var nextReader = 0
    }
    private let state = Mutex(State())

    var all: [String] { state.withLock { $0.lines } }
    var text: String { all.joined(separator: "\n") }

    /// Reads until the other end is closed, on a thread of its own; closes `descriptor` then.
    func read(_ descriptor: Int32) {
        Thread { [self] in
            var rest: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = Foundation.read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                rest += buffer[..<count]
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    add(String(decoding: rest[..<end], as: UTF8.self))
                    rest.removeSubrange(...end)
                }
            }
            if !rest.isEmpty { add(String(decoding: rest, as: UTF8.self)) }
            close(descriptor)
            finish()
        }.start()
    }

    /// All lines from number `index` on, those written later too; ends with the output.
    func lines(from index: Int = 0) -> AsyncStream<String> {
        let (stream, sink) = AsyncStream<String>.makeStream()
        state.withLock { state in
            for line in state.lines.dropFirst(index) { sink.yield(line) }
            if state.isClosed { return sink.finish() }
            state.readers[state.nextReader] = sink
            state.nextReader += 1
        }
        return stream
    }

    /// Waits for a line with `text` in it.
    ///
    /// - Parameter index: of the first line to look at.
    func line(containing text: String, from index: Int = 0) async throws -> String {
        for await line in lines(from: index) where line.contains(text) { return line }
        try Task.checkCancellation()
        throw HarnessError("the output ended without a line with '\(text)':\n\(self.text)")
    }

    /// Waits until the output has ended.
    func end() async { for await _ in lines() {} }

    private func add(_ line: String) {
        state.withLock { state in
            state.lines.append(line)
            for reader in state.readers.values { reader.yield(line) }
        }
    }

    private func finish() {
        state.withLock { state in
            state.isClosed = true
            for reader in state.readers.values { reader.finish() }
            state.readers = [:]
        }
    }
}
