internal import EnergyModel
internal import Foundation

/// A run, or a time of waiting, of a device.
struct BlockDocument: Encodable {
    let start, end: String
    let powerMw: Int64
    let energyMwh: Int64
    let rating: Double
    let reason: String
    let isDischarging: Bool

    init(_ block: ScheduleBlock, in zone: TimeZone) {
        start = block.interval.start.iso8601(in: zone)
        end = block.interval.end.iso8601(in: zone)
        powerMw = block.power.milliwatts
        energyMwh = block.energy.milliwattHours
        rating = block.rating
        reason = block.reason.rawValue
        isDischarging = block.isDischarging
    }
}

struct GoalDocument: Encodable {
    let id: String
    /// Of a goal that repeats: the next time.
    let readyBy: String
    let repeats: Bool
    let stateOfCharge: Int?
    let energyMwh: Int64?
    let reduceMaxMs: Int64?
    let run: Bool?
    let guaranteedPercent: Int

    init(_ goal: Goal, in zone: TimeZone) {
        id = goal.id.uuidString.lowercased()
        readyBy = goal.readyBy.iso8601(in: zone)
        repeats = goal.weekly != nil
        (stateOfCharge, energyMwh, reduceMaxMs, run) =
            switch goal.target {
            case .stateOfCharge(let percent): (percent, nil, nil, nil)
            case .energy(let energy): (nil, energy.milliwattHours, nil, nil)
            case .reduce(let milliseconds): (nil, nil, milliseconds, nil)
            case .run: (nil, nil, nil, true)
            }
        guaranteedPercent = goal.guaranteedPercent
    }
}

struct PlanDocument: Encodable {
    let goals: [GoalDocument]
    let override: String?
    let missingMwh: Int64?
    let explanation: String?
    let optimalityGap: Double?
    let blocks: [BlockDocument]

    /// - Parameter schedule: `nil` for a device that nothing is planned for.
    init(_ schedule: Schedule?, in zone: TimeZone) {
        goals = (schedule?.goals ?? []).map { GoalDocument($0, in: zone) }
        override = schedule?.override?.rawValue
        missingMwh = schedule?.missing.milliwattHours
        explanation = schedule?.explanation
        optimalityGap = schedule?.optimalityGap
        blocks = (schedule?.blocks ?? []).map { BlockDocument($0, in: zone) }
    }
}

/// What a goal would cost.
struct PreviewDocument: Encodable {
    struct Course: Encodable {
        let plannedMwh: Int64
        let missingMwh: Int64
        let costMicros: Int64?
        let carbonGrams: Double?
        let rating: Double
        let ready: String?
        let explanation: String
        let blocks: [BlockDocument]

        init(_ course: GoalPreview.Course, in zone: TimeZone) {
            plannedMwh = course.planned.milliwattHours
            missingMwh = course.missing.milliwattHours
            costMicros = course.costMicros
            carbonGrams = course.carbonGrams
            rating = course.rating
            ready = course.ready?.iso8601(in: zone)
            explanation = course.explanation
            blocks = course.blocks.map { BlockDocument($0, in: zone) }
        }
    }

    /// As it would be planned, at full power from now on, and as if nothing else were in the way.
    let planned, atOnce, best: Course
    let currency: String?

    init(_ preview: GoalPreview, in zone: TimeZone) {
        planned = Course(preview.planned, in: zone)
        atOnce = Course(preview.atOnce, in: zone)
        best = Course(preview.best, in: zone)
        currency = preview.currency
    }
}
