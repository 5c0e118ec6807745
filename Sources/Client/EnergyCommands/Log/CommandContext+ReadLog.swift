internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import ServiceEndpoints

/// Records of a partition that cannot be read any more.
struct LogDamage: Hashable {
    let partition: Int
    let first: UInt64
    let last: UInt64
    let message: String

    /// How many they are.
    var count: Int { Int(clamping: last &- first &+ 1) }
}

extension CommandContext {
    /// Of damaged records side by side: beyond that, a partition's rest is given up.
    private static let damagesInRowMax = 1_000

    /// Every record of a partition up to its head, in order.
    ///
    /// - Parameter damage: told of records that are passed over because they are damaged.
    func readLog(
        _ head: LogHead, damage: (LogDamage) -> Void, _ body: (LogRecord) throws(CommandFailure) -> Void
    ) async throws(CommandFailure) {
        var (reached, damagesInRow) = (head.removedSequence, 0)
        while reached < head.sequence {
            let before = reached
            let position = LogPosition(partition: head.partition, afterSequence: reached)
            var chunks = try await read(.events, Methods.readLog, position, timeout: .seconds(86_400))
            reading: while true {
                switch await chunks.nextResult() {
                case .success(let page?):
                    for record in page.records where record.sequence <= head.sequence {
                        try body(record)
                        reached = max(reached, record.sequence)
                    }
                case .success(nil): return
                case .failure(let error) where error.code == .dataLoss && reached < head.sequence:
                    damagesInRow = reached == before ? damagesInRow + 1 : 1
                    let isLost = damagesInRow > Self.damagesInRowMax
                    let last = isLost ? head.sequence : reached + 1
                    damage(
                        LogDamage(
                            partition: head.partition, first: reached + 1, last: last,
                            message: Self.text(error, head.partition, reached + 1, last)))
                    reached = last
                    break reading
                case .failure(let error): throw await failure(error, from: .events)
                }
            }
        }
    }

    private static func text(_ error: EnergyError, _ partition: Int, _ first: UInt64, _ last: UInt64) -> String {
        let place =
            first == last
            ? "record \(first) of partition \(partition)" : "records \(first) to \(last) of partition \(partition)"
        // The service names one record itself.
        if first == last, error.message.hasPrefix("record \(first) ") { return error.message }
        return "\(place): \(error.message)"
    }
}
