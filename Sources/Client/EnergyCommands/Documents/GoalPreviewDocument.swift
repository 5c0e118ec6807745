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

/// A course without its blocks, as a row of `--csv`.
struct GoalPreviewRow: Codable {
    /// As its key in `--json`.
    let course: String
    let plannedMwh: Int64
    let missingMwh: Int64
    let costMicros: Int64?
    let currency: String?
    let carbonG: Double?
    let rating: Double
    let ready: String?
    let explanation: String
}

extension GoalPreviewDocument {
    var rows: [GoalPreviewRow] {
        [("planned", planned), ("at_once", atOnce), ("best", best)].map { name, course in
            GoalPreviewRow(
                course: name, plannedMwh: course.plannedMwh, missingMwh: course.missingMwh,
                costMicros: course.costMicros, currency: currency, carbonG: course.carbonG, rating: course.rating,
                ready: course.ready, explanation: course.explanation)
        }
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
