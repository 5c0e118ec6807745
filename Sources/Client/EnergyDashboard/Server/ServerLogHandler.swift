internal import Logging

/// Logs what the HTTP server calls an error, but for what it says because it is being stopped.
///
/// What it has to say of each request is for who develops it.
struct ServerLogHandler: LogHandler {
    private var inner: Logger

    init(_ logger: Logger) {
        inner = logger
        inner.logLevel = .error
    }

    static func logger(_ logger: Logger) -> Logger {
        Logger(label: logger.label) { _ in ServerLogHandler(logger) }
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
        if !Task.isCancelled { inner.handler.log(event: event) }
    }
}
