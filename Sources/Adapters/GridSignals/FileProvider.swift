public import EnergyModel
public import EnergyStore
internal import Foundation

/// Carbon signals from a local CSV or JSON file, read again when it changes.
///
/// The file is looked at on demand: whether it changed costs one `stat`. A file that is being replaced or has a mistake
/// is an error, not a reason to go on with what it said before.
public actor FileProvider: SignalProvider {
    public nonisolated let name: String
    public nonisolated var kind: SignalKind { format.kind }
    public nonisolated let isTimeless = false

    private let path: String
    private let format: FileFormat
    /// A file that has not changed for so long is not being written: its last line needs no line break.
    private static let restMilliseconds: Int64 = 30_000

    private struct Reading {
        let state: FileState
        let region: String
        /// The last line was passed over, because it may be half a line.
        var isCut = false
        /// When this state of the file was seen first.
        let seen: Timestamp
        var result: Result<SignalSeries, EnergyError>
    }
    private var loaded: Reading?

    /// Does not touch the file yet.
    ///
    /// - Parameters:
    ///   - path: its ending, `.csv` or `.json`, says what it is.
    ///   - format: what the columns, times and values mean.
    /// - Throws: ``EnergyError`` `.invalidInput` for another ending, or a step outside 1 minute to 1 day.
    public init(path: String, format: FileFormat) throws(EnergyError) {
        let file = URL(filePath: path)
        guard ["csv", "json"].contains(file.pathExtension.lowercased()) else {
            throw EnergyError(.invalidInput, "\(path): the file must end with .csv or .json")
        }
        guard Int64.millisecondsPerMinute...Int64.millisecondsPerDay ~= format.stepMilliseconds else {
            throw EnergyError(
                .invalidInput, "\(path): the step must be 1 minute to 1 day, not \(format.stepMilliseconds) ms")
        }
        self.path = path
        self.format = format
        name = "file:\(file.lastPathComponent)"
    }

    public func signals(
        region: String, in interval: Interval, now: Timestamp
    ) async throws(EnergyError) -> SignalReport {
        let all = try series(region: region, now)
        let known: SignalSeries =
            switch format.content {
            case .forecast: all
            case .measured(let lag): all.ended(by: now.advanced(byMilliseconds: -lag))
            }
        let isForecast = format.content == .forecast
        return SignalReport(
            series: SignalSeries(Array(known.overlapping(interval))),
            stepMilliseconds: known.points.last?.interval.milliseconds ?? format.stepMilliseconds,
            newestMeasured: isForecast ? nil : known.points.last?.interval.end)
    }

    /// Reads the file now, so that a mistake in it is found before anybody waits for its values.
    ///
    /// - Throws: what ``signals(region:in:now:)`` throws; `.invalidInput` when the file has no value for the region.
    public func check(region: String) throws(EnergyError) {
        // The clock of who asks later may be another: what is read here is read again then.
        defer { loaded = nil }
        if try series(region: region, nil).points.isEmpty {
            throw EnergyError(.invalidInput, "\(path): has no value for the region \(region)")
        }
    }

    public func status() async -> SignalSourceStatus {
        var status = SignalSourceStatus(name: name, kind: kind)
        switch loaded?.result {
        case .success(let series)?: status.newestValue = series.points.last?.interval.end
        case .failure(let error)?: status.lastError = error.message
        case nil: break
        }
        return status
    }

    /// - Parameter now: `nil` takes the file as it is, for good.
    private func series(region: String, _ now: Timestamp?) throws(EnergyError) -> SignalSeries {
        let state = try FileState(path: path)
        let known = loaded.flatMap { $0.state == state && $0.region == region ? $0 : nil }
        let seen = known?.seen ?? now ?? Timestamp(unixMilliseconds: 0)
        let isAtRest = now.map { $0.milliseconds(since: seen) >= Self.restMilliseconds } ?? true
        if let known, !(known.isCut && isAtRest) { return try known.result.get() }
        var reading = Reading(state: state, region: region, seen: seen, result: .success(.empty))
        do throws(EnergyError) {
            let read = try read(state, region: region, isWhole: isAtRest)
            (reading.result, reading.isCut) = (.success(SignalSeries(read.points)), read.isCut && !isAtRest)
        } catch { reading.result = .failure(error) }
        loaded = reading
        return try reading.result.get()
    }

    private func read(
        _ state: FileState, region: String, isWhole: Bool
    ) throws(EnergyError) -> (points: [SignalPoint], isCut: Bool) {
        guard state.size <= FileLimits.bytesMax else {
            throw EnergyError(
                .invalidInput, "\(path): has \(state.size) bytes, at most \(FileLimits.bytesMax) are read")
        }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw EnergyError(.unavailable, "\(path): cannot be read; it must be a file that this user may read")
        }
        return path.lowercased().hasSuffix(".csv")
            ? try CSVSignals.read(bytes, file: path, format: format, isWhole: isWhole)
            : (try JSONSignals.read(bytes, file: path, format: format, region: region), false)
    }
}

/// What tells one version of a file from another.
private struct FileState: Hashable {
    let size: Int
    let modified: Date?
    let number: Int?

    init(path: String) throws(EnergyError) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            throw EnergyError(.unavailable, "\(path): there is no such file, or this user may not read it")
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw EnergyError(.unavailable, "\(path): must be a regular file")
        }
        size = (attributes[.size] as? NSNumber)?.intValue ?? 0
        modified = attributes[.modificationDate] as? Date
        number = (attributes[.systemFileNumber] as? NSNumber)?.intValue
    }
}
