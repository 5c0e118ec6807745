internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import Logging

/// Looks longer for a better plan where the time was up before one was proven best. The first one is followed meanwhile.
extension Scheduler {
    /// Begins, if that is worth it and is not being done already.
    func improve(_ venueID: UUID) {
        guard !isOver, planning.improvementTimeLimit > .zero, !improving.contains(venueID), isUnproven(venueID)
        else { return }
        improving.insert(venueID)
        Task {
            let isCurrent = await improved(venueID)
            improving.remove(venueID)
            // What was planned meanwhile nobody has looked at for longer.
            if !isCurrent { improve(venueID) }
        }
    }

    private func isUnproven(_ venueID: UUID) -> Bool {
        plannedKeys(at: venueID).contains { (records[$0]?.schedule?.optimalityGap ?? 0) > 0 }
    }

    /// - Returns: `false` if other plans were made meanwhile, which stand.
    private func improved(_ venueID: UUID) async -> Bool {
        do throws(EnergyError) {
            var round = try await exclusively { () async throws(EnergyError) in try await begin(venueID) }
            round.replanner.timeLimit = planning.improvementTimeLimit
            // Less than for a plan that has been followed for hours.
            round.replanner.gainMin = Replanner.gainMinWhenAsked
            let (plans, longer) = (scheduleIDs(venueID), round)
            let decisions = try await queues.improvements.run { () throws(EnergyError) in
                try longer.replanner.decide(longer.asked, guidance: longer.guidance, now: longer.now)
            }
            return try await exclusively { () async throws(EnergyError) in
                guard changes[venueID, default: 0] == round.changes, scheduleIDs(venueID) == plans else { return false }
                try await adopt(decisions, of: round)
                return true
            }
        } catch {
            logger.debug("no better plan", metadata: ["error": "\(error.message)"])
            return true
        }
    }

    private func scheduleIDs(_ venueID: UUID) -> [UUID?] { plannedKeys(at: venueID).map { records[$0]?.schedule?.id } }
}
