import EnergyTransport
import Logging
import Synchronization
import Testing

@testable import ServiceRuntime

@Suite struct LossLogTests {
    @Test func `losses are told once in ten seconds, with how many there were`() {
        let (journal, start) = (Journal(), ContinuousClock.now)
        let seconds = Mutex(0)
        let log = LossLog(
            Logger(label: "test") { _ in
                JournalHandler(journal) { "\($0[ServiceKeys.count] ?? "") of \($0[ServiceKeys.losses] ?? "")" }
            },
            now: { start + .seconds(seconds.withLock { $0 }) })
        for _ in 0..<1_000 { log.note(TransportLoss(.unread, frameCount: 2)) }
        log.note(TransportLoss(.publication, frameCount: 1))
        #expect(journal.all == ["warning 2 of 1", "warning 1 of 1"])
        seconds.withLock { $0 = 10 }
        log.note(TransportLoss(.unread, frameCount: 2))
        #expect(journal.all.last == "warning 2000 of 1000")
    }

    @Test func `who does not read is told by name, each for itself, and not more than a hundred`() {
        let (journal, start) = (Journal(), ContinuousClock.now)
        let log = LossLog(
            Logger(label: "test") { _ in JournalHandler(journal) { "\($0[ServiceKeys.principal] ?? "nobody")" } },
            now: { start })
        for _ in 0..<1_000 {
            for name in ["car", "wall"] { log.note(TransportLoss(.unread, frameCount: 1, name: name)) }
        }
        #expect(journal.all == ["warning car", "warning wall"])
        for number in 0..<1_000 { log.note(TransportLoss(.unread, frameCount: 1, name: "\(number)")) }
        #expect(journal.all.count == 101)
        #expect(journal.all.last == "warning nobody")
    }
}
