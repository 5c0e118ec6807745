internal import EnergyModel
internal import Foundation
internal import Synchronization

/// Something that pages may have to show anew.
struct News: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable, CaseIterable {
        case guidance, schedule, insights, events
        /// A service came or went.
        case services
        /// The minute on the clock.
        case minute
        /// Nothing is new, but the connection holds.
        case pulse
        /// Something was told between the making of a page and its listening.
        case missed
    }
    let kind: Kind
    /// `nil` concerns all.
    let venueID: UUID?
}

/// Hands news to every page that is open.
final class NewsDesk: Sendable {
    /// Open pages; more are refused.
    static let readersMax = 1_000
    /// Of one page that does not read: older ones are dropped, since each says only that something is new.
    static let waitingMax = 32

    private struct State {
        var nextID = 0
        var newsCount = 0
        var readers: [Int: AsyncStream<News>.Continuation] = [:]
    }
    private let state = Mutex(State())

    var readerCount: Int { state.withLock { $0.readers.count } }
    /// What was told until now.
    var newsCount: Int { state.withLock { $0.newsCount } }

    /// - Parameter count: the ``newsCount`` of what the reader knows: it hears at once when there is more by now.
    /// - Returns: `nil` when too many are reading.
    func subscribe(knowing count: Int? = nil) -> AsyncStream<News>? {
        let (news, reader) = AsyncStream<News>.makeStream(bufferingPolicy: .bufferingNewest(Self.waitingMax))
        let id: Int? = state.withLock { state in
            guard state.readers.count < Self.readersMax else { return nil }
            state.nextID += 1
            state.readers[state.nextID] = reader
            if let count, count != state.newsCount { reader.yield(News(kind: .missed, venueID: nil)) }
            return state.nextID
        }
        guard let id else { return nil }
        reader.onTermination = { [weak self] _ in self?.remove(id) }
        return news
    }

    func tell(_ news: News) {
        let readers = state.withLock { state in
            if news.kind != .pulse { state.newsCount += 1 }
            return Array(state.readers.values)
        }
        for reader in readers { reader.yield(news) }
    }

    private func remove(_ id: Int) { state.withLock { state in state.readers[id] = nil } }
}
