internal import EnergyModel
internal import EnergyPlanning

/// What draws nothing now keeps no room from others now: it is not there, or does not do as it is told.
///
/// So it is planned as any other first, and again without the present where others would use what it then leaves. Where
/// nobody would, it is told to charge: it may come at any time.
extension VenuePlanner {
    /// For less than this nobody begins.
    private static let leastMilliseconds = 5 * Int64.millisecondsPerMinute

    /// What is not worth a change.
    private static let minor = Energy(milliwattHours: 100_000)

    /// - Parameter answer: where all of them are planned as if they did as they are told.
    /// - Returns: `nil` if nobody could use what they leave.
    func yielded(
        _ tasks: [ChargeTask], _ homes: [HomeTask], _ answer: Answer, from now: Timestamp, guidance: Guidance?
    ) -> Answer? {
        guard settings.limits != PlanLimits(), tasks.contains(where: \.drawsNothing),
            tasks.contains(where: { !$0.drawsNothing }),
            let end = presentEnd(tasks, homes, from: now, guidance: guidance)
        else { return nil }
        var yielding = tasks
        for index in tasks.indices where tasks[index].drawsNothing && answer.plans[index].energy(until: end) > .zero {
            yielding[index].yieldsUntil = end
        }
        guard yielding.contains(where: { $0.yieldsUntil != nil }),
            var yielded = try? relaxed(yielding, homes: homes, from: now, guidance: guidance)
        else { return nil }
        func taken(_ answer: Answer) -> Energy {
            zip(tasks, answer.plans).reduce(.zero) { $1.0.drawsNothing ? $0 : $0 + $1.1.energy(until: end) }
        }
        // Who is not there is planned anew when he comes; who is there must not lack more for it than the others gain.
        let lack = zip(tasks, zip(yielded.plans, answer.plans)).reduce(Energy.zero) { sum, plans in
            plans.0.unplugged == nil ? sum + plans.1.0.missing - plans.1.1.missing : sum
        }
        guard taken(yielded) - taken(answer) > max(Self.minor, lack) else { return nil }
        // Whose room nobody needs may come at any time.
        let leaving = yielding.indices.filter { yielding[$0].yieldsUntil != nil }
        for index in leaving where leaving.count > 1 && !time.isUp {
            var fewer = yielding
            fewer[index].yieldsUntil = nil
            guard let other = try? relaxed(fewer, homes: homes, from: now, guidance: guidance),
                taken(other) + Self.minor >= taken(yielded)
            else { continue }
            (yielding, yielded) = (fewer, other)
        }
        yielded.hasYielded = true
        return yielded
    }

    /// Of the slot that is now.
    private func presentEnd(
        _ tasks: [ChargeTask], _ homes: [HomeTask], from now: Timestamp, guidance: Guidance?
    ) -> Timestamp? {
        timeline(tasks, homes, from: now, guidance: guidance)?.slots.map(\.interval.end)
            .first { $0.milliseconds(since: now) >= Self.leastMilliseconds }
    }
}
