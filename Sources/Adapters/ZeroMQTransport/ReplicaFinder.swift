internal import Dispatch
internal import EnergyTransport

/// Looks up who the replicas are that are known by the names of hosts, again and again: what a name stands for changes
/// when replicas are added, moved and removed.
final class ReplicaFinder: Sendable {
    // A source may be used from any thread; Dispatch does not say so to the compiler.
    nonisolated(unsafe) private let timer: any DispatchSourceTimer
    private let names: HostNames
    private let known = Locked([HostName: [String]]())

    /// - Parameters:
    ///   - replicas: as they were named.
    ///   - tell: who they are, after each look.
    /// - Returns: `nil` when none is known by a name.
    init?(_ replicas: [Replica], names: HostNames, tell: @escaping @Sendable ([Replica]) -> Void) {
        guard replicas.contains(where: { !$0.hostNames.isEmpty }) else { return nil }
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
        for name in Set(replicas.flatMap(\.hostNames)) {
            let addresses = names.lookUp(name.name)
            if !addresses.isEmpty { known.withLock { $0[name] = addresses } }
        }
        let known = known.withLock { $0 }
        var seen: Set<Replica> = []
        return replicas.flatMap { $0.resolved(known) }.filter { seen.insert($0).inserted }
    }
}

extension Replica {
    var hostNames: [HostName] { [requestAddress, publishAddress].compactMap { $0.flatMap(HostName.init(of:)) } }

    /// One replica for each address of its host; itself as long as nobody has said what its name stands for.
    func resolved(_ known: [HostName: [String]]) -> [Replica] {
        let names = Set(hostNames)
        guard let name = names.first else { return [self] }
        guard names.count == 1 else {
            // Two hosts: nobody knows which address of the one belongs to which of the other.
            return [
                Replica(requestAddress: requestAddress, publishAddress: nil),
                Replica(requestAddress: nil, publishAddress: publishAddress),
            ].flatMap { $0.resolved(known) }
        }
        guard let addresses = known[name] else { return [self] }
        return addresses.map { address in
            func at(_ written: String?) -> String? {
                written?.replacing("tcp://\(name.name):", with: "tcp://\(address):", maxReplacements: 1)
            }
            return Replica(requestAddress: at(requestAddress), publishAddress: at(publishAddress))
        }
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
