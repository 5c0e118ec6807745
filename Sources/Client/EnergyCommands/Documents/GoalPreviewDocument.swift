internal import EnergyModel
internal import Foundation

struct GoalPreviewDocument: Encodable {
    struct Course: Encodable {
        let plannedMwh: Int64
        let missingMwh: Int64
        let costMicros: Int64?
        let carbonG: Double?
        let rating: Double
        let ready: String?
        let explanation: String
        let blocks: [ScheduleDocument.Block]
    }
    let planned: Course
    let atOnce: Course
    let best: Course
    let currency: String?

    init(_ preview: GoalPreview, in zone: TimeZone) {
        planned = Course(preview.planned, in: zone)
        atOnce = Course(preview.atOnce, in: zone)
        best = Course(preview.best, in: zone)
        currency = preview.currency
    }
}

extension GoalPreviewDocument.Course {
    init(_ course: GoalPreview.Course, in zone: TimeZone) {
        self.init(
            plannedMwh: course.planned.milliwattHours, missingMwh: course.missing.milliwattHours,
            costMicros: course.costMicros, carbonG: course.carbonGrams, rating: course.rating,
            ready: course.ready?.iso8601(in: zone), explanation: course.explanation,
            blocks: course.blocks.map { ScheduleDocument.Block($0, in: zone) })
    }
}
