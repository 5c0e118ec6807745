import Logging

/// Writes a line for each message into a ``Journal``: its level, and what a test looks for in its metadata.
struct JournalHandler: LogHandler {
    let journal: Journal
    let text: @Sendable (Logger.Metadata) -> String
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(_ journal: Journal, text: @escaping @Sendable (Logger.Metadata) -> String) {
        self.journal = journal
        self.text = text
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { journal.add("\(event.level) \(text(event.metadata ?? [:]))") }
}
