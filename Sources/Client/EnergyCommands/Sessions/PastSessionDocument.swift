internal import EnergyModel
internal import Foundation
internal import InsightFiles

/// A session that would be imported, as JSON.
struct PastSessionDocument: Encodable {
    let line: Int
    let start: String
    let end: String
    let energyMwh: Int64
    let runtimeMs: Int64
    let powerMw: Int64
    let direction: String
    let sources: [String]

    init(_ session: PastSession, in zone: TimeZone) {
        line = session.line
        start = session.interval.start.iso8601(in: zone)
        end = session.interval.end.iso8601(in: zone)
        energyMwh = session.energy.milliwattHours
        runtimeMs = session.runtimeMilliseconds
        powerMw = session.powerMilliwatts
        direction = session.direction.rawValue
        sources = session.sources
    }
}
