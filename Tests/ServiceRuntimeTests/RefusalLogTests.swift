import Logging
import Synchronization
import Testing
import ZeroMQTransport

@testable import ServiceRuntime

@Suite struct RefusalLogTests {
    @Test func `each kind and source is told once a minute, whatever keys it makes up, and not more than a hundred`() {
        let (journal, start) = (Journal(), ContinuousClock.now)
        let seconds = Mutex(0)
        let log = RefusalLog(
            Logger(label: "test") { _ in
                JournalHandler(journal) { "\($0[ServiceKeys.address] ?? $0[ServiceKeys.principal] ?? "")" }
            },
            now: { start + .seconds(seconds.withLock { $0 }) })
        for number in 0..<1_000 {
            log.note(Refusal(.unknownKey, address: "192.0.2.1", key: "\(number)"))
            log.note(Refusal(.handshake, address: "192.0.2.1"))
            log.note(Refusal(.denied, name: "charger"))
        }
        #expect(journal.all == ["warning 192.0.2.1", "notice 192.0.2.1", "warning charger"])
        for number in 0..<1_000 { log.note(Refusal(.handshake, address: "2001:db8::\(number)")) }
        #expect(journal.all.count == 100)
        seconds.withLock { $0 = 60 }
        log.note(Refusal(.denied, name: "charger"))
        #expect(journal.all.count == 101)
    }
}
