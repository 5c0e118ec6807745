import EnergyModel

/// Where a course may be, as a model has it that counts each slot's mean.
extension CoursePlanner {
    /// A start, or all starts from one to the next at which an edge of the course meets an edge of a slot: between them what
    /// it takes of each slot changes evenly.
    struct Placement {
        var start: Int64
        /// As it begins at ``start``; of a slide with the power of all slots that it touches on the way.
        var parts: [Part]
        /// `nil` for one start.
        var slide: Slide?
    }

    struct Slide {
        var milliseconds: Int64
        /// kWh that each of the parts takes more if the course begins so much later.
        var changes: [Double]
    }

    /// More of them take longer than what they gain.
    private static let slidesMax = 1_000
    /// Shorter ones gain nothing.
    private static let slideMillisecondsMin: Int64 = 1_000

    /// - Parameters:
    ///   - isSliding: whether something counts the mean of slots, so that the best start may be between two.
    ///   - capacity: kW that the load may draw in each cut slot.
    func placements(
        _ load: PlannedLoad, _ profile: LoadProfile, isSliding: Bool, capacity: [Double]? = nil
    ) -> [Placement] {
        let all = candidates(load, profile)
        let points = all.filter { fits(load, profile, from: $0, capacity) }
            .map { Placement(start: $0, parts: parts(profile, from: $0)) }
        guard isSliding, load.shape.startsAnywhere, !load.isPreconditioned, all.count <= Self.slidesMax else {
            return points
        }
        return points + zip(all, all.dropFirst()).compactMap { slide(load, profile, $0, $1, capacity) }
    }

    private func slide(
        _ load: PlannedLoad, _ profile: LoadProfile, _ from: Int64, _ to: Int64, _ capacity: [Double]?
    ) -> Placement? {
        let middle = from + (to - from) / 2
        guard to - from >= Self.slideMillisecondsMin, fits(load, profile, from: middle, capacity) else { return nil }
        var touched = parts(profile, from: middle)
        func energies(_ start: Int64) -> [Int: Double] {
            parts(profile, from: start).reduce(into: [:]) { $0[$1.slot] = $1.energy }
        }
        let (early, late) = (energies(from), energies(to))
        let changes = touched.map { late[$0.slot, default: 0] - early[$0.slot, default: 0] }
        for index in touched.indices { touched[index].energy = early[touched[index].slot, default: 0] }
        return Placement(start: from, parts: touched, slide: Slide(milliseconds: to - from, changes: changes))
    }
}
