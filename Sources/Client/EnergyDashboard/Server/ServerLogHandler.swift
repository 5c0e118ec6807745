internal import Logging
internal import Synchronization

/// Logs what the HTTP server calls an error, but for what it says because it is being stopped.
///
/// What it has to say of each request is for who develops it.
struct ServerLogHandler: LogHandler {
    private var inner: Logger
    private let stop: ServerStop

    init(_ logger: Logger, until stop: ServerStop) {
        inner = logger
        inner.logLevel = .error
        self.stop = stop
    }

    var logLevel: Logger.Level {
        get { inner.logLevel }
        set { inner.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { inner.handler.metadata }
        set { inner.handler.metadata = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        if !stop.hasBegun { inner.handler.log(event: event) }
    }
}

/// Whether the server is being stopped.
final class ServerStop: Sendable {
    private let begun = Atomic(false)

    var hasBegun: Bool { begun.load(ordering: .relaxed) }

    func begin() { begun.store(true, ordering: .relaxed) }
}
