internal import EnergyModel
internal import Foundation

/// Turns labels and values of a file into points, and says which row it could not take.
struct SignalRows {
    let file: String
    let format: FileFormat
    private(set) var points: [SignalPoint] = []
    private var previous: Timestamp?

    init(file: String, format: FileFormat) {
        self.file = file
        self.format = format
    }

    /// - Parameters:
    ///   - place: for people, for example `line 17`.
    ///   - label: its meaning is the format's label convention, unless `end` or `milliseconds` says how long it holds.
    mutating func append(
        place: String, label: some StringProtocol, end: (some StringProtocol)? = Substring?.none,
        milliseconds: Int64? = nil, value: Double
    ) throws(EnergyError) {
        guard points.count < FileLimits.rowsMax else {
            throw failure(place, "the file has more rows than the \(FileLimits.rowsMax) allowed")
        }
        let instant = try self.instant(place, label)
        previous = instant
        let step = milliseconds ?? format.stepMilliseconds
        var interval: Interval?
        if let end {
            interval = Interval(start: instant, end: try self.instant(place, end))
        } else if 1...Int64.millisecondsPerDay ~= step {
            interval =
                format.label == .start
                ? Interval(start: instant, milliseconds: step)
                : Interval(start: instant.advanced(byMilliseconds: -step), milliseconds: step)
        }
        guard let interval, interval.milliseconds <= .millisecondsPerDay else {
            throw failure(place, "a value must hold for more than nothing and at most a day")
        }
        let grams = value * format.unit.grams
        guard grams.isFinite, 0...100_000 ~= grams else {
            throw failure(place, "the value \(value) must be a number from 0 to 100,000 g/kWh")
        }
        points.append(SignalPoint(interval: interval, value: grams, isEstimated: format.content == .forecast))
    }

    func failure(_ place: String, _ reason: String) -> EnergyError {
        EnergyError(.invalidInput, "\(file), \(place): \(reason)")
    }

    private func instant(_ place: String, _ text: some StringProtocol) throws(EnergyError) -> Timestamp {
        guard let label = TimeLabel(text) else {
            throw failure(place, "the time \"\(text.prefix(40))\" must be like \(TimeLabel.allowed)")
        }
        guard let instant = label.instant(in: format.timeZone, after: previous) else {
            throw failure(
                place, "the time \"\(text.prefix(40))\" does not exist in \(format.timeZone.identifier): clocks skip it"
            )
        }
        return instant
    }
}
