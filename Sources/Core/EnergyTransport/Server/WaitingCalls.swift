/// Requests whose handlers have not begun, in the order in which they will.
///
/// Bounded, by one request more than fits: a link without room here leaves what else has arrived where it is, so that
/// TCP holds its senders back.
package struct WaitingCalls {
    private static let countMax = 256
    private static let bytesMax = 256 * 1024

    private(set) var invocations: [ServerEngine.Invocation] = []
    private var byteCount = 0

    init() {}

    /// Those that a turn did not get to.
    init(_ rest: ArraySlice<ServerEngine.Invocation>) {
        for invocation in rest { append(invocation) }
    }

    var isEmpty: Bool { invocations.isEmpty }

    package var hasRoom: Bool { invocations.count < Self.countMax && byteCount < Self.bytesMax }

    package mutating func append(_ invocation: ServerEngine.Invocation) {
        invocations.append(invocation)
        byteCount += invocation.body.count
    }

    /// - Returns: what was removed.
    mutating func removeAll(where isUnwanted: (ServerEngine.Invocation) -> Bool) -> [ServerEngine.Invocation] {
        let unwanted = invocations.filter(isUnwanted)
        if !unwanted.isEmpty { self = WaitingCalls(invocations.filter { !isUnwanted($0) }[...]) }
        return unwanted
    }

    /// Puts each peer's first request before everybody's second: one that has sent much does not hold up the others.
    mutating func takeTurns() {
        var rounds: [[ServerEngine.Invocation]] = []
        var counts: [ServerEngine.PeerID: Int] = [:]
        for invocation in invocations {
            let round = counts[invocation.key.peer, default: 0]
            counts[invocation.key.peer] = round + 1
            if round == rounds.count { rounds.append([]) }
            rounds[round].append(invocation)
        }
        invocations = rounds.flatMap(\.self)
    }
}
