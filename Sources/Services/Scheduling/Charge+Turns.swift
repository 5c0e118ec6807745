internal import EnergyModel
internal import EnergyStore

/// Whose turn it is of those that are to charge at once and have too little room for all.
///
/// Who charges goes on, with what it has; then whoever is ready soonest, so that all together wait least; last who was told
/// to charge and did not. So an order changes only when somebody comes, is done, or does not follow.
extension Charge {
    /// The same vehicles, each with its turn.
    static func inTurn(_ charges: [Charge], now: Timestamp) -> [Charge] {
        var charges = charges
        let urgent = charges.indices.filter { charges[$0].task.isAtOnce }
        let order = urgent.sorted { charges[$0].place(now) < charges[$1].place(now) }
        for (turn, index) in order.enumerated() { charges[index].task.turn = turn }
        return charges
    }

    // Compared in this order.
    private struct Place: Comparable {
        let group: Int
        let power: Power
        let milliseconds: Int64
        let deviceID: String

        static func < (a: Place, b: Place) -> Bool {
            (a.group, b.power, a.milliseconds, a.deviceID) < (b.group, a.power, b.milliseconds, b.deviceID)
        }
    }

    private func place(_ now: Timestamp) -> Place {
        let told = kept?.blocks.first { $0.interval.contains(now) }?.power ?? .zero
        let (isCharging, isRefusing) = (record.progress.isCharging, record.progress.refusedSince != nil)
        let group = isRefusing ? 2 : isCharging || told > .zero ? 0 : 1
        return Place(
            group: group, power: group == 0 ? told : .zero, milliseconds: task.milliseconds(for: task.required),
            deviceID: task.deviceID)
    }
}
