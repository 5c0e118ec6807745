import EnergyModel

/// The values hour by hour; not a number where one is unknown.
struct HourlySeries {
    let start: Timestamp
    let values: [Double]

    init(_ series: SignalSeries) {
        start = series.points[0].interval.start.floored(toMilliseconds: .millisecondsPerHour)
        let end = series.points[series.points.count - 1].interval.end
        values =
            Interval(start: start, end: end).map { whole in
                series.resampled(over: whole, stepMilliseconds: .millisecondsPerHour).map {
                    $0?.value ?? .nan
                }
            } ?? []
    }
}
