internal import Foundation

/// Has what many open pages fetch when something is new be made once.
///
/// Each of them is told the same news at the same moment. Who loads a page by himself always gets a new one.
actor SharedReplies {
    private struct Key: Hashable {
        let address: String
        let language: Language
        let lastVenueID: UUID?
    }

    /// Of different pages; more are made for each who asks.
    static let repliesMax = 100

    private var replies: [Key: Task<Reply, Never>] = [:]
    /// Which news they were begun after.
    private var newsCount = 0

    /// - Parameters:
    ///   - newsCount: how much was new until now.
    ///   - make: makes the reply if nobody has since then.
    func reply(
        to request: PageRequest, newsCount: Int, _ make: @escaping @Sendable () async -> Reply
    ) async -> Reply {
        if newsCount != self.newsCount {
            replies.removeAll()
            self.newsCount = newsCount
        }
        let key = Key(
            address: request.address, language: request.language, lastVenueID: VenueChoice.venueID(request))
        if let known = replies[key] { return await known.value }
        let task = Task { ReplyWriter.prepared(await make()) }
        if replies.count < Self.repliesMax { replies[key] = task }
        return await task.value
    }
}
