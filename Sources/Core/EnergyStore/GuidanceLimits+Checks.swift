public import EnergyModel
public import Foundation

// What every guidance store refuses, in the same words.

extension EnergyError {
    public static func homeTaken(_ home: UUID) -> EnergyError {
        EnergyError(
            .conflict, "home \(home) stands for another venue",
            violations: [
                RuleViolation(
                    field: "venue.home_ids", rule: "must not stand for another venue", value: home.uuidString)
            ])
    }
}

extension GuidanceLimits {
    /// - Parameters:
    ///   - count: of the things there are.
    ///   - revisions: of the one to be stored; 0 if it is new.
    public static func check(
        count: Int, max: Int, revisions: Int, isNewest: Bool, what: String
    ) throws(EnergyError) {
        if !isNewest { throw EnergyError(.conflict, "the \(what) was changed at the same time: read it again") }
        if revisions == 0 && count >= max {
            throw EnergyError(.rateLimited, "there are \(max) \(what)s, no more are kept")
        }
        if revisions >= revisionsMax {
            throw EnergyError(.rateLimited, "the \(what) was changed \(revisionsMax) times, no more are kept")
        }
    }

    /// - Returns: what the records are of; `nil` if there are none.
    public static func check(_ records: [SignalRecord]) throws(EnergyError) -> SignalQuantity? {
        if let long = records.first(where: { $0.interval.milliseconds > .millisecondsPerDay }) {
            throw EnergyError(.invalidInput, "a signal record holds for at most a day, not \(long.interval)")
        }
        if records.count > signalRecordsMax {
            throw EnergyError(
                .invalidInput, "at most \(signalRecordsMax) signal records at once, not \(records.count)")
        }
        let quantity = records.first?.kind.quantity
        if records.contains(where: { $0.kind.quantity != quantity }) {
            throw EnergyError(.invalidInput, "signal records of carbon and of prices are recorded apart")
        }
        return quantity
    }
}
