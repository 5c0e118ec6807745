import Synchronization

@testable import EnergyCommands

/// Keeps what a command says, and lets a test wait for a line.
final class TestOutput: CommandOutput {
    private struct State {
        var lines: [String] = []
        var notes: [String] = []
        var written: [UInt8] = []
        var progress: [String?] = []
    }
    private let state = Mutex(State())
    private let said: AsyncStream<String>
    private let sink: AsyncStream<String>.Continuation

    init(isTerminal: Bool = false) {
        self.isTerminal = isTerminal
        (said, sink) = AsyncStream<String>.makeStream()
    }

    var lines: [String] { state.withLock { $0.lines } }
    var notes: [String] { state.withLock { $0.notes } }
    var text: String { lines.joined(separator: "\n") }

    /// Whether it says that a person looks at it.
    let isTerminal: Bool

    /// What was written as it is.
    var written: [UInt8] { state.withLock { $0.written } }

    func bytes(_ bytes: [UInt8]) { state.withLock { $0.written += bytes } }

    func line(_ text: String) {
        state.withLock { $0.lines += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
        sink.yield(text)
    }

    func note(_ text: String) { state.withLock { $0.notes.append(text) } }

    func progress(_ text: String?) { state.withLock { $0.progress.append(text) } }

    var progress: [String?] { state.withLock { $0.progress } }

    /// The next line, from where the last call ended, that contains `text`.
    func line(containing text: String) async -> String {
        var iterator = said.makeAsyncIterator()
        while let line = await iterator.next(isolation: #isolation) {
            if line.contains(text) { return line }
        }
        return ""
    }
}
