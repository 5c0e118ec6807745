extension AsyncStream where Element: Sendable {
    /// The next element, for a test that takes one at a time: an iterator cannot be used inside `#expect`.
    public func next() async -> Element? {
        var iterator = makeAsyncIterator()
        return await iterator.next(isolation: #isolation)
    }
}
