internal import Synchronization

/// Asks those of many sources that are needed now, and no others.
public final class NeededSources: Sendable {
    private let providers: [String: PolledProvider]
    private let running = Mutex<[String: Task<Void, Never>]>([:])

    /// - Parameter providers: of one name each; nobody is asked yet.
    public init(_ providers: [PolledProvider]) {
        self.providers = Dictionary(providers.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Asks these from now on; leaves those in peace that are not among them.
    ///
    /// - Parameter names: those of others change nothing.
    public func need(_ names: Set<String>) {
        running.withLock { running in
            for name in running.keys where !names.contains(name) { running.removeValue(forKey: name)?.cancel() }
            for name in names where running[name] == nil {
                running[name] = providers[name].map { provider in Task { await provider.run() } }
            }
        }
    }
}
