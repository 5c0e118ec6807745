import EnergyFeeds
import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Synchronization
import Testing

struct LogFollowerTests {
    private let log = MemoryEventLog()
    private let subscriber = HandSubscriber()
    private let clock = ManualClock()

    /// Runs a follower while `body` runs; `body` gets what the follower says.
    private func following(
        from progress: LogProgress = LogProgress(), partitions: Set<Int> = LogPartition.all,
        handle: @escaping @Sendable (LogRecord) async throws(EnergyError) -> Void = { _ in },
        _ body: (AsyncStream<Said>) async -> Void
    ) async {
        let (said, say) = AsyncStream<Said>.makeStream()
        let follower = LogFollower(log: log, partitions: partitions, subscriber: subscriber, clock: clock) { error, _ in
            say.yield(.failed(error.code))
        }
        let task = Task {
            await follower.run(
                from: progress, adopt: { say.yield(.adopted($0.id, isOther: $0.difference != nil)) },
                whenMissed: { say.yield(.missed($0, $1)) }, whenCaughtUp: { say.yield(.caughtUp) },
                handle: { (record) async throws(EnergyError) in
                    try await handle(record)
                    say.yield(.handled(record.partition, record.sequence))
                })
            say.finish()
        }
        await body(said)
        task.cancel()
        await task.value
    }

    @Test func `records come once each, in the order of their partition, from the position on`() async {
        log.append(partition: 2, count: 5)
        log.append(partition: 7, count: 4)
        await following(from: LogProgress(heads: [LogHead(partition: 7, sequence: 2)])) { said in
            for sequence in UInt64(1)...5 { #expect(await said.next() == .handled(2, sequence)) }
            for sequence in UInt64(3)...4 { #expect(await said.next() == .handled(7, sequence)) }
            #expect(await said.next() == .caughtUp)
        }
    }

    @Test func `of some partitions it reads no others, and is not woken by them`() async {
        for partition in [2, 7] { log.append(partition: partition) }
        await following(partitions: [7, 8]) { said in
            #expect(await said.next() == .handled(7, 1))
            #expect(await said.next() == .caughtUp)
            await subscriber.waitForSubscriber()
            for partition in [2, 8] { log.append(partition: partition) }
            for number in [2, 8] as [UInt64] {
                subscriber.publish(Topics.events(venueID: EventSamples.id(number), deviceID: "car"))
            }
            #expect(await said.next() == .handled(8, 1))
            #expect(await said.next() == .caughtUp)
            #expect(log.headCalls == 2)
        }
    }

    @Test(arguments: Wake.allCases)
    func `whatever tells of news wakes the follower, and nothing else does`(wake: Wake) async {
        await following { said in
            #expect(await said.next() == .caughtUp)
            await subscriber.waitForSubscriber()
            #expect(log.headCalls == 1)
            log.append(partition: 1)
            switch wake {
            case .publication: subscriber.publish("events/venue/car/")
            case .joined: subscriber.send(.joined)
            case .missed: subscriber.send(.missed(topic: "events/venue/car/"))
            }
            #expect(await said.next() == .handled(1, 1))
            #expect(await said.next() == .caughtUp)
            #expect(log.headCalls == 2)
        }
    }

    @Test func `after a failure it waits on its clock, then goes on`() async {
        log.append(partition: 0)
        log.fail(EnergyError(.unavailable, "away"), EnergyError(.unavailable, "still away"))
        await following { said in
            for _ in 0..<2 {
                #expect(await said.next() == .failed(.unavailable))
                await clock.waitForSleepers()
                clock.advance(by: .seconds(1))
            }
            #expect(await said.next() == .handled(0, 1))
            #expect(await said.next() == .caughtUp)
        }
    }

    @Test func `a publisher that is back ends the wait`() async {
        log.append(partition: 0)
        log.fail(EnergyError(.unavailable, "away"))
        await following { said in
            #expect(await said.next() == .failed(.unavailable))
            await subscriber.waitForSubscriber()
            subscriber.send(.joined)
            #expect(await said.next() == .handled(0, 1))
        }
    }

    @Test func `a record that fails comes again and holds up its own partition only`() async {
        log.append(partition: 3, count: 4)
        log.append(partition: 4, count: 1)
        let failures = Mutex(1)
        let handle: @Sendable (LogRecord) async throws(EnergyError) -> Void = { (record) async throws(EnergyError) in
            guard record.partition == 3, record.sequence == 2 else { return }
            let fails = failures.withLock { left in
                defer { left = max(0, left - 1) }
                return left > 0
            }
            if fails { throw EnergyError(.unavailable, "not now") }
        }
        await following(handle: handle) { said in
            #expect(await said.next() == .handled(3, 1))
            #expect(await said.next() == .handled(4, 1))
            #expect(await said.next() == .failed(.unavailable))
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            for sequence in UInt64(2)...4 { #expect(await said.next() == .handled(3, sequence)) }
            #expect(await said.next() == .caughtUp)
        }
    }

    @Test func `a gap is a failure, never skipped`() async {
        log.append(partition: 5, count: 3)
        log.lose(partition: 5, sequence: 2)
        await following { said in
            #expect(await said.next() == .handled(5, 1))
            #expect(await said.next() == .failed(.unavailable))
        }
    }

    @Test func `a log that ends before the position is another log, and read from its beginning`() async {
        log.append(partition: 5, count: 3)
        await following(from: LogProgress(heads: [LogHead(partition: 5, sequence: 9)])) { said in
            #expect(await said.next() == .adopted(nil, isOther: true))
            for sequence in UInt64(1)...3 { #expect(await said.next() == .handled(5, sequence)) }
            #expect(await said.next() == .caughtUp)
        }
    }

    @Test func `records that are gone before they were handled are told of, and the rest comes`() async {
        log.append(partition: 5, count: 9)
        log.append(partition: 6, count: 3)
        log.remove(partition: 5, through: 6)
        log.remove(partition: 6, through: 2)
        await following(from: LogProgress(heads: [LogHead(partition: 5, sequence: 2)])) { said in
            #expect(await said.next() == .missed(5, 3...6))
            for sequence in UInt64(7)...9 { #expect(await said.next() == .handled(5, sequence)) }
            #expect(await said.next() == .handled(6, 3))
            #expect(await said.next() == .caughtUp)
        }
    }

    @Test func `the first log that is found is adopted, and nothing is read twice`() async {
        let id = UUID()
        log.replace(by: id, counts: [5: 3])
        await following(from: LogProgress(heads: [LogHead(partition: 5, sequence: 2)])) { said in
            #expect(await said.next() == .adopted(id, isOther: false))
            #expect(await said.next() == .handled(5, 3))
            #expect(await said.next() == .caughtUp)
        }
    }

    @Test(arguments: [[5: 3], [5: 7], [:]])
    func `a log with another identity is read from its beginning, however long it is`(counts: [Int: Int]) async {
        let (old, new) = (UUID(), UUID())
        log.replace(by: old, counts: [5: 3])
        await following { said in
            #expect(await said.next() == .adopted(old, isOther: false))
            for sequence in UInt64(1)...3 { #expect(await said.next() == .handled(5, sequence)) }
            #expect(await said.next() == .caughtUp)
            await subscriber.waitForSubscriber()
            log.replace(by: new, counts: counts)
            subscriber.send(.joined)
            #expect(await said.next() == .adopted(new, isOther: true))
            for sequence in 0..<(counts[5] ?? 0) { #expect(await said.next() == .handled(5, UInt64(sequence) + 1)) }
            #expect(await said.next() == .caughtUp)
        }
    }

    @Test(arguments: [3, 4])
    func `another record at the position makes it another log, though its identity is the same`(count: Int) async {
        let id = UUID()
        log.replace(by: id, counts: [5: 3])
        await following { said in
            for _ in 0..<4 { _ = await said.next() }
            #expect(await said.next() == .caughtUp)
            await subscriber.waitForSubscriber()
            log.replace(by: id, counts: [5: count])
            subscriber.send(.joined)
            #expect(await said.next() == .adopted(id, isOther: true))
            if count > 3 {
                // The log's owner has noticed: a failure like others, with its wait.
                #expect(await said.next() == .failed(.conflict))
                await clock.waitForSleepers()
                clock.advance(by: .seconds(1))
            }
            for sequence in 1...UInt64(count) { #expect(await said.next() == .handled(5, sequence)) }
            #expect(await said.next() == .caughtUp)
        }
    }

    /// Follows by pages of a log that hands over three records at a time.
    private func followingByPage(
        pageEvents: Int, handlePage: @escaping @Sendable ([UInt64]) async throws(EnergyError) -> Void = { _ in },
        _ body: (AsyncStream<SaidByPage>) async -> Void
    ) async {
        let (said, say) = AsyncStream<SaidByPage>.makeStream()
        let follower = LogFollower(log: log, subscriber: subscriber, clock: clock) { error, _ in
            say.yield(.failed(error.message))
        }
        let task = Task {
            await follower.runByPage(pageEvents: pageEvents, whenCaughtUp: { say.yield(.caughtUp) }) {
                (page) async throws(EnergyError) in
                try await handlePage(page.map(\.sequence))
                say.yield(.page(page.map(\.sequence)))
            }
        }
        await body(said)
        task.cancel()
        await task.value
    }

    @Test(arguments: [
        (1, [[1, 2, 3], [4, 5, 6], [7, 8]]), (3, [[1, 2, 3], [4, 5, 6], [7, 8]]), (4, [[1, 2, 3, 4, 5, 6], [7, 8]]),
        (8, [[1, 2, 3, 4, 5, 6, 7, 8]]), (8_000, [[1, 2, 3, 4, 5, 6, 7, 8]]),
    ])
    func `pages are put together until they have as many events as was asked for`(
        pageEvents: Int, pages: [[UInt64]]
    ) async {
        log.append(partition: 5, count: 8)
        await followingByPage(pageEvents: pageEvents) { said in
            for page in pages { #expect(await said.next() == .page(page)) }
            #expect(await said.next() == .caughtUp)
        }
    }

    @Test func `what was put together before the log failed is handled, then the failure is told`() async {
        log.append(partition: 5, count: 8)
        log.damage(sequence: 7)
        await followingByPage(pageEvents: 100) { said in
            #expect(await said.next() == .page(Array(1...6)))
            #expect(await said.next() == .failed("damaged"))
            log.damage(sequence: nil)
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            #expect(await said.next() == .page([7, 8]))
            #expect(await said.next() == .caughtUp)
        }
    }

    @Test func `a page that is refused comes again, and the log is not read on before it is handled`() async {
        log.append(partition: 5, count: 8)
        let failures = Mutex(1)
        let refuseOnce: @Sendable ([UInt64]) async throws(EnergyError) -> Void = { (page) async throws(EnergyError) in
            let refuses = failures.withLock { left in
                defer { left = max(0, left - 1) }
                return left > 0
            }
            if refuses { throw EnergyError(.unavailable, "not \(page)") }
        }
        await followingByPage(pageEvents: 4, handlePage: refuseOnce) { said in
            #expect(await said.next() == .failed("not [1, 2, 3, 4, 5, 6]"))
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            #expect(await said.next() == .page(Array(1...6)))
            #expect(await said.next() == .page([7, 8]))
            #expect(log.reads.map(\.sequence) == [0, 0])
        }
    }

    enum SaidByPage: Equatable {
        case page([UInt64])
        case caughtUp
        case failed(String)
    }

    enum Wake: CaseIterable { case publication, joined, missed }

    enum Said: Equatable {
        case handled(Int, UInt64)
        case adopted(UUID?, isOther: Bool)
        case caughtUp
        case missed(Int, ClosedRange<UInt64>)
        case failed(EnergyError.Code)
    }
}

struct BackoffTests {
    @Test func `waits double up to the longest, and start again after a success`() {
        var backoff = Backoff(first: .seconds(1), longest: .seconds(5))
        for step in [1, 2, 4, 5, 5] {
            let wait = backoff.failed()
            #expect(.seconds(step) / 2 <= wait && wait <= .seconds(step))
        }
        backoff.succeeded()
        #expect(backoff.failed() <= .seconds(1))
        #expect(backoff.failed(atLeast: .seconds(4)) == .seconds(4))
        #expect(backoff.failed(atLeast: .seconds(60)) == .seconds(5))
    }
}
