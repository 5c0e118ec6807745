internal import Dispatch
internal import EnergyTransport

/// Looks up who the replicas are that are known by names of hosts or services, again and again: what a name stands for changes
/// when replicas are added, moved and removed.
final class ReplicaFinder: Sendable {
    // A source may be used from any thread; Dispatch does not say so to the compiler.
    nonisolated(unsafe) private let timer: any DispatchSourceTimer
    private let names: NameLookup
    private let known = Locked([ReplicaName: [String]]())

    /// - Parameters:
    ///   - replicas: as they were named.
    ///   - tell: who they are, after each look.
    /// - Returns: `nil` when none is known by a name.
    init?(_ replicas: [Replica], names: NameLookup, tell: @escaping @Sendable ([Replica]) -> Void) {
        guard replicas.contains(where: { !$0.names.isEmpty }) else { return nil }
        self.names = names
        // Looking up blocks: on a thread of its own.
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "replica-finder"))
        timer.setEventHandler { [weak self] in
            guard let self else { return }
            tell(find(replicas))
        }
        timer.schedule(deadline: .now(), repeating: names.interval)
        timer.activate()
    }

    deinit { timer.cancel() }

    /// A name that is not known now stands for what it stood for before: a name server may be away.
    private func find(_ replicas: [Replica]) -> [Replica] {
        let found = names.known(replicas.flatMap(\.names))
        let known = known.withLock { known in
            known.merge(found) { $1 }
            return known
        }
        var seen: Set<Replica> = []
        return replicas.flatMap { $0.resolved(known) }.filter { seen.insert($0).inserted }
    }
}

extension Replica {
    var names: [ReplicaName] { [requestAddress, publishAddress].compactMap { $0.flatMap(ReplicaName.init(of:)) } }

    /// One replica for each place that its names stand for: where it answers belongs to where it publishes on the same host.
    /// What a name stands for that nobody has told yet stays as it is.
    func resolved(_ known: [ReplicaName: [String]]) -> [Replica] {
        guard !names.allSatisfy({ known[$0] == nil }) else { return [self] }
        let requests = Self.places(of: requestAddress, known)
        var publications = Self.places(of: publishAddress, known)
        let paired = requests.map { request in
            let host = TCPAddress(request)?.host
            let index = publications.firstIndex { host != nil && TCPAddress($0)?.host == host }
            return Replica(requestAddress: request, publishAddress: index.map { publications.remove(at: $0) })
        }
        return paired + publications.map { Replica(requestAddress: nil, publishAddress: $0) }
    }

    private static func places(of address: String?, _ known: [ReplicaName: [String]]) -> [String] {
        guard let address else { return [] }
        guard let name = ReplicaName(of: address), let found = known[name] else { return [address] }
        guard case .host(let host) = name else { return found }
        return found.map { address.replacing("tcp://\(host):", with: "tcp://\($0):", maxReplacements: 1) }
    }
}

/// Brings what a ``ReplicaFinder`` found to the thread that owns the sockets.
final class FoundReplicas: Sendable {
    private let replicas = Locked<[Replica]?>(nil)

    var isNews: Bool { replicas.withLock { $0 != nil } }

    func put(_ found: [Replica]) { replicas.withLock { $0 = found } }

    func take() -> [Replica]? {
        replicas.withLock { replicas in
            defer { replicas = nil }
            return replicas
        }
    }
}
