internal import EnergyFeeds
internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import ServiceEndpoints
internal import Synchronization

/// An answer that is given anew whenever there is news: in place on a screen, elsewhere one below the other.
struct StandingView: Sendable {
    let context: CommandContext

    typealias Show = (CommandContext) async throws(CommandFailure) -> Void

    /// Until the task is cancelled.
    func follow(_ sources: [NewsSource], _ show: Show) async {
        // However much happens while it is drawn, it is drawn once more.
        let (news, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        bell.yield()
        await withTaskGroup(of: Void.self) { group in
            for source in sources { group.addTask { await ring(bell, at: source) } }
            if context.style.height != nil { group.addTask { await ringEachMinute(bell) } }
            var last: [String] = []
            for await _ in news {
                let lines = await look(show)
                guard lines != last else { continue }
                draw(lines, isFirst: last.isEmpty)
                last = lines
            }
            group.cancelAll()
        }
    }

    private func look(_ show: Show) async -> [String] {
        let page = PageOutput(over: context.output, isScreen: context.style.height != nil)
        var paged = context
        paged.output = page
        paged.isFollowing = true
        if let style = context.measure() { paged.style = style }
        do throws(CommandFailure) { try await show(paged) } catch {
            // What cannot be shown now may be later: that is news too.
            if !error.message.isEmpty { TerminalText.wrap(error.message, to: paged.style.width).forEach(page.note) }
        }
        return page.lines
    }

    private func draw(_ lines: [String], isFirst: Bool) {
        guard let height = (context.measure() ?? context.style).height else {
            return lines.forEach(context.output.line)
        }
        let room = max(1, height - 1)
        var shown = lines
        if lines.count > room {
            shown = Array(lines.prefix(room - 1)) + ["\(context.style.ellipsis) \(lines.count - room + 1) more lines"]
        }
        // Over what was there, line by line, and only then the rest away: a screen that is emptied first flickers.
        context.output.line(
            (isFirst ? "\u{1B}[2J" : "") + "\u{1B}[H" + shown.map { "\($0)\u{1B}[K" }.joined(separator: "\n")
                + "\u{1B}[J")
    }

    private func ring(_ bell: AsyncStream<Void>.Continuation, at source: NewsSource) async {
        switch source {
        case .topic(let service, let prefix):
            guard let connection = try? context.connection(service) else { return }
            for await _ in connection.subscribe(prefix) { bell.yield() }
        case .health(let service): await ring(bell, atHealthOf: service)
        }
    }

    /// A service says by itself when its health changes; the end of what it says is its loss.
    private func ring(_ bell: AsyncStream<Void>.Continuation, atHealthOf service: ServiceKind) async {
        guard let connection = try? context.connection(service) else { return }
        var backoff = Backoff(longest: .seconds(5))
        while !Task.isCancelled {
            try? await connection.stream(Methods.watchHealth, HealthCheckRequest()) { _ in
                backoff.succeeded()
                bell.yield()
            }
            bell.yield()
            try? await context.clock.sleep(for: backoff.failed())
        }
    }

    /// Time goes on too: what was ahead is now.
    private func ringEachMinute(_ bell: AsyncStream<Void>.Continuation) async {
        while !Task.isCancelled {
            try? await context.clock.sleep(for: .seconds(60))
            bell.yield()
        }
    }
}

/// Keeps what a command says until it is drawn.
private final class PageOutput: CommandOutput {
    private let kept = Mutex<[String]>([])
    private let output: any CommandOutput
    private let isScreen: Bool

    init(over output: any CommandOutput, isScreen: Bool) {
        self.output = output
        self.isScreen = isScreen
    }

    var isTerminal: Bool { output.isTerminal }

    var lines: [String] { kept.withLock { $0 } }

    func line(_ text: String) {
        kept.withLock { $0 += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
    }

    func bytes(_ bytes: [UInt8]) { line(String(decoding: bytes, as: UTF8.self)) }

    /// On a screen it would be drawn over; elsewhere it is no part of the answer.
    func note(_ text: String) { isScreen ? line(text) : output.note(text) }
}
