public import EnergyFeeds
public import EnergyModel
internal import EnergyStore

/// Counts the log again from its beginning, beside what is counted, and puts the result in its place when it is complete.
///
/// Until then the old answers as before, and goes on counting. The result differs only if something was wrong: it is
/// made of the same events, frozen terms and repairs.
public final class InsightRebuilder: Sendable {
    private let projector: InsightProjector
    private let log: any EventLogReader
    private let turn = ProjectionLock()

    public init(projector: InsightProjector, log: any EventLogReader) {
        self.projector = projector
        self.log = log
    }

    /// How far it is.
    public struct Progress: Hashable, Sendable {
        public let recordsCounted: UInt64
        /// Of the whole log, as far as it is counted.
        public let records: UInt64
    }

    /// - Parameters:
    ///   - acceptsLoss: also where the log no longer has its first records.
    ///   - report: told now and then; what it throws ends the rebuild.
    /// - Returns: whether the result is what was counted before.
    /// - Throws: `.outOfRange` where the log no longer has its first records, `.unavailable` when log, signals or store
    ///   cannot be had now: the old stays.
    public func rebuild(
        acceptsLoss: Bool, report: @Sendable (Progress) async throws(EnergyError) -> Void
    ) async throws(EnergyError) -> Bool {
        try await turn.hold { () async throws(EnergyError) in
            try await self.run(acceptsLoss: acceptsLoss, report: report)
        }
    }

    private func run(
        acceptsLoss: Bool, report: @Sendable (Progress) async throws(EnergyError) -> Void
    ) async throws(EnergyError) -> Bool {
        let heads = try await log.heads()
        if !acceptsLoss, let lossy = heads.heads.first(where: { $0.removedSequence > 0 }) {
            throw EnergyError(
                .outOfRange,
                "the log no longer has the first \(lossy.removedSequence) records of partition \(lossy.partition): a "
                    + "rebuild would lose what they added")
        }
        let store = try await projector.store.beginRebuild()
        let shadow = InsightProjector(store: store, signals: projector.signals, venues: projector.venues)
        for head in heads.heads where head.removedSequence > 0 {
            try await shadow.passOver(1...head.removedSequence, of: head.partition)
        }
        try await catchUp(shadow, report)
        let live = projector
        let isIdentical = try await live.lock.hold { () async throws(EnergyError) in
            // Nobody is told of the last records: a slow listener must not hold the projection up.
            try await self.catchUp(shadow) { _ in }
            let isIdentical = try await live.store.digest() == store.digest()
            try await live.store.finishRebuild()
            return isIdentical
        }
        return isIdentical
    }

    /// Up to where the other one is.
    private func catchUp(
        _ shadow: InsightProjector, _ report: @Sendable (Progress) async throws(EnergyError) -> Void
    ) async throws(EnergyError) {
        let goal = try await projector.store.positions()
        let logID = try await projector.store.logID()
        let records = goal.reduce(0) { $0 &+ $1.sequence }
        let start = try await shadow.store.positions()
        var counted = start.reduce(0) { $0 &+ $1.sequence }
        for head in goal {
            let position =
                start.first { $0.partition == head.partition } ?? LogHead(partition: head.partition, sequence: 0)
            guard position.sequence < head.sequence else { continue }
            let isComplete = try await log.read(after: position, through: head.sequence, logID: logID) {
                (page) async throws(EnergyError) in
                try await shadow.project(page)
                counted &+= UInt64(page.count)
                try await report(Progress(recordsCounted: counted, records: records))
            }
            guard isComplete else {
                throw EnergyError(.unavailable, "the log's partition \(head.partition) ended before its head")
            }
        }
    }
}
