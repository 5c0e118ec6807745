internal import EnergyModel
internal import EnergyPlanning
internal import EnergyStore
internal import Foundation

/// What a whole home pays and emits with some of its devices planned, until one end that is the same for all questions.
///
/// A battery gives a car what it would have given the house, and a heat pump moves for a fuse: what a goal costs is then
/// not what its own runs cost, but the difference between the home with it and the home without.
struct HomeCost {
    let replanner: Replanner
    let time: PlanningTime
    let guidance: Guidance?
    let now: Timestamp
    private let end: Timestamp
    private let zone: TimeZone

    /// - Parameter venue: all devices that may be asked about, with their goals.
    /// - Returns: `nil` where each device's own runs say what they cost.
    init?(
        _ replanner: Replanner, _ venue: [DeviceRecord], guidance: Guidance?, now: Timestamp, within time: PlanningTime
    ) {
        let isShared = venue.contains { record in
            switch record.device.load {
            case .battery, .climate: true
            case .appliance, nil: false
            }
        }
        guard isShared, let zone = venue.first?.timeZone, let end = venue.flatMap(\.goals).map(\.readyBy).max() else {
            return nil
        }
        self.replanner = replanner
        self.time = time
        self.guidance = guidance
        self.now = now
        self.end = end
        self.zone = zone
    }

    /// - Parameter keepsFirst: the first does as its schedule says.
    /// - Returns: `nil` where not all could be planned together.
    /// - Throws: ``EnergyError`` `.unavailable`, `.invalidInput`.
    func totals(
        of venue: [DeviceRecord], keepsFirst: Bool = false
    ) throws(EnergyError) -> HomePlan.Totals? {
        var (charges, homes) = ([Charge](), [HomeTask]())
        for (index, record) in venue.enumerated() {
            guard let goal = record.goal else { continue }
            if let home = HomeTask(record, goal, now: now, replanner.settings, index, until: end) {
                if case .appliance = home.load, record.delivered(for: goal) > .zero { continue }
                homes.append(keepsFirst && index == 0 ? home.keeping : home)
            } else if case .open(let charge) = Charge.read(record, goal, now: now, index) {
                charges.append(charge)
            }
        }
        let planner = VenuePlanner(
            planner: replanner.planner, settings: replanner.settings, time: time,
            horizon: (end, zone))
        let answer = try planner.plan(charges.map(\.task), homes: homes, from: now, guidance: guidance)
        return answer.homePlans.count == homes.count ? answer.whole : nil
    }

    /// Money and kg CO2 of the first of `venue`.
    func difference(
        of venue: [DeviceRecord], keepsFirst: Bool = false
    ) throws(EnergyError) -> (money: Double, carbon: Double)? {
        guard let with = try totals(of: venue, keepsFirst: keepsFirst),
            let without = try totals(of: Array(venue.dropFirst()))
        else { return nil }
        return (with.money - without.money, with.carbon - without.carbon)
    }
}
