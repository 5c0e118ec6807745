public import EnergyModel
public import Foundation

/// Reads the rows of a table of sessions.
public struct SessionReader: Sendable {
    private let format: SessionFileFormat
    private let clock: ZoneReader
    private let places: [SessionFileFormat.Field: Int]
    private let header: [String]
    /// Nothing ends later.
    private let latest: Timestamp

    /// - Parameters:
    ///   - header: the first row.
    ///   - zone: of times without an offset.
    ///   - now: what is later has not happened, but for what clocks may differ by.
    /// - Throws: `.invalidInput` where a column is missing, naming those that are there.
    public init(_ format: SessionFileFormat, header: CSVRows.Row, zone: TimeZone, now: Timestamp) throws(EnergyError) {
        self.format = format
        latest = now.advanced(byMilliseconds: EventRules().clockAllowanceMilliseconds)
        clock = ZoneReader(zone)
        self.header = header.cells
        let names = header.cells.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        var places: [SessionFileFormat.Field: Int] = [:]
        for field in SessionFileFormat.Field.allCases {
            let captions = format.captions(of: field)
            let found = names.indices.filter { captions.contains(names[$0]) }
            guard found.count < 2 else {
                throw EnergyError(
                    .invalidInput, "line \(header.line): there are two columns '\(header.cells[found[0]])'")
            }
            places[field] = found.first
        }
        for field in SessionFileFormat.required where places[field] == nil {
            let wanted = format.captions(of: field).prefix(3).map { "'\($0)'" }.joined(separator: ", ")
            let there = header.cells.prefix(20).map { "'\($0.prefix(40))'" }.joined(separator: ", ")
            throw EnergyError(
                .invalidInput,
                "line \(header.line): no column is called \(wanted)\(format == .evcc ? ", or that in another of evcc's languages" : ""); there are \(there)"
            )
        }
        self.places = places
    }

    public func session(_ row: CSVRows.Row) throws(PastSessionFault) -> PastSession {
        guard row.cells.count == header.count else {
            throw PastSessionFault(
                line: row.line, reason: "must have \(header.count) cells as the first line, but has \(row.cells.count)")
        }
        if let kind = cell(row, .kind), !kind.isEmpty, kind != FileWords.snake(Device.Kind.electricVehicle.rawValue) {
            throw fault(row, .kind, "must be electric_vehicle: others have no energy that could be imported")
        }
        let interval = try interval(row)
        let energy = try energy(row)
        let runtime = try runtime(row, of: interval)
        for (field, milliseconds) in [(SessionFileFormat.Field.energy, interval.milliseconds), (.runtime, runtime)] {
            let power = Int128(energy.milliwattHours) * 3_600_000 / Int128(milliseconds)
            guard power <= Int128(Power.range.upperBound) else {
                let rule = "must be what can be charged in that time, at most 1 MW"
                let time = "must be time enough for '\(cell(row, .energy) ?? "")' kWh at 1 MW at most"
                throw fault(row, field, field == .energy ? rule : time)
            }
        }
        var direction = FlowDirection.imported
        if let text = cell(row, .direction), !text.isEmpty {
            guard let known = FlowDirection(rawValue: text) else {
                throw fault(row, .direction, "must be imported or exported")
            }
            direction = known
        }
        let sources = sources(row)
        let id = cell(row, .id).flatMap { $0.isEmpty ? nil : $0.lowercased() }
        return PastSession(
            line: row.line, exportedID: id.flatMap(UUID.init(uuidString:)),
            name: id.map { "csv/\($0)" }
                ?? "\(format.rawValue)/\(interval.start.unixMilliseconds)/\(sources.joined(separator: "/"))",
            sources: sources, interval: interval, runtimeMilliseconds: runtime, energy: energy, direction: direction,
            stateOfChargeAtStart: try percent(row, .firstPercent), stateOfChargeAtEnd: try percent(row, .lastPercent))
    }

    /// The names of the device, charging point and vehicle that the row is of, also where it is no session. Of a row that
    /// is not as the header says, any cell may be a name.
    public func names(_ row: CSVRows.Row) -> [String] {
        row.cells.count == header.count ? sources(row) : row.cells.map(Self.source)
    }

    private func sources(_ row: CSVRows.Row) -> [String] {
        [SessionFileFormat.Field.device, .charger, .vehicle].compactMap { cell(row, $0) }.map(Self.source)
            .filter { !$0.isEmpty }
    }

    private static func source(_ cell: String) -> String {
        CSVText.original(cell.trimmingCharacters(in: .whitespaces))
    }

    // MARK: Cells

    private func cell(_ row: CSVRows.Row, _ field: SessionFileFormat.Field) -> String? {
        places[field].map { row.cells[$0].trimmingCharacters(in: .whitespaces) }
    }

    private func fault(_ row: CSVRows.Row, _ field: SessionFileFormat.Field, _ rule: String) -> PastSessionFault {
        let value = cell(row, field) ?? ""
        return PastSessionFault(
            line: row.line, column: places[field].map { header[$0] } ?? "",
            reason: "\(rule), but is \(value.isEmpty ? "empty" : "'\(value.prefix(60))'")")
    }

    private func interval(_ row: CSVRows.Row) throws(PastSessionFault) -> Interval {
        let start = try times(row, .start)
        let end = try times(row, .end)
        // A reading that the clocks show twice is the first time, unless only the second lies behind the start.
        guard let last = end.first(where: { $0 > start[0] }), let interval = Interval(start: start[0], end: last)
        else { throw fault(row, .end, "must be after '\(cell(row, .start) ?? "")'") }
        for (field, time) in [(SessionFileFormat.Field.start, start[0]), (.end, last)] where time > latest {
            throw fault(row, field, "must not be in the future")
        }
        guard interval.milliseconds <= PastSession.lengthMax else {
            throw fault(row, .end, "must be at most 14 days after the start")
        }
        return interval
    }

    private func times(
        _ row: CSVRows.Row, _ field: SessionFileFormat.Field
    ) throws(PastSessionFault) -> [Timestamp] {
        let text = cell(row, field) ?? ""
        guard let reading = ClockText(text) else {
            let also = text.isEmpty && field == .end ? " (a session that goes on is imported when it is over)" : ""
            throw fault(row, field, "must be a time such as 2026-11-21 07:05:09 or 2026-11-21T07:05:09+01:00\(also)")
        }
        let times = clock.times(reading)
        guard !times.isEmpty else {
            throw fault(
                row, field,
                "must be a time that clocks in \(clock.zone.identifier) show; they skip it. Say --zone if the file is of another"
            )
        }
        return times
    }

    private func energy(_ row: CSVRows.Row) throws(PastSessionFault) -> Energy {
        guard let milliwattHours = ExactNumber.read(cell(row, .energy) ?? "", places: 6),
            Energy.range ~= milliwattHours
        else { throw fault(row, .energy, "must be a number of kWh, 0 to 1,000,000, such as 12.5 or 12,5") }
        return Energy(milliwattHours: milliwattHours)
    }

    /// All of `interval` where there is no such column, or nothing in it.
    private func runtime(_ row: CSVRows.Row, of interval: Interval) throws(PastSessionFault) -> Int64 {
        guard let text = cell(row, .runtime), !text.isEmpty else { return interval.milliseconds }
        guard let milliseconds = DurationText.milliseconds(text) else {
            throw fault(row, .runtime, "must be hours such as 2.5, or a duration such as 2h30m0s")
        }
        // Times of whole seconds may be less apart than it was long, and a time of 0 charges nothing.
        return 1..<interval.milliseconds ~= milliseconds ? milliseconds : interval.milliseconds
    }

    /// `nil` where there is no such column, or nothing in it.
    private func percent(
        _ row: CSVRows.Row, _ field: SessionFileFormat.Field
    ) throws(PastSessionFault) -> Int? {
        guard let text = cell(row, field), !text.isEmpty else { return nil }
        guard let tenths = ExactNumber.read(text, places: 1), 0...1000 ~= tenths else {
            throw fault(row, field, "must be 0 to 100")
        }
        return Int((tenths + 5) / 10)
    }
}
