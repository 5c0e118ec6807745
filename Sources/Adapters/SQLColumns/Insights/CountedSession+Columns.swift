public import EnergyModel
internal import EnergyStore
internal import Foundation

extension InsightSeries {
    public var columns: ColumnList {
        ColumnList([
            ("venue_id", venueID), ("device_id", deviceID), ("kind", kind.code), ("direction", direction.code),
        ])
    }

    public init(_ row: some ColumnRow) throws(EnergyError) {
        self.init(
            venueID: try row["venue_id"], deviceID: try row["device_id"], kind: Device.Kind(code: try row["kind"]),
            direction: FlowDirection(code: try row["direction"]))
    }
}

extension CountedSession {
    /// The row of the table `session`, without what says whose it is.
    public var columns: ColumnList {
        let sorted = tallies.sorted { $0.key.code < $1.key.code }
        return ColumnList([
            ("session_id", key.sessionID), ("began_unix_ms", began), ("last_unix_ms", timestamp),
            ("progress", packedProgress),
            ("tallies", PackedTallies.pack(sorted.map { ClassTally(class: $0.key, tally: $0.value) })),
            ("baseline", baseline.map(PackedBaseline.pack)), ("plugged_in_unix_ms", pluggedIn),
        ]) + savingColumns
    }

    /// - Parameter row: with the columns of its series.
    /// - Throws: ``EnergyError`` `.dataLoss` for a row that no version of this program writes.
    public init(_ row: some ColumnRow) throws {
        let numbers = try PackedNumbers.unpack(try row["progress"], count: 13)
        let unpacked = try UnpackedTallies.classes(try row["tallies"] as Data)
        var tallies: [InsightClass: InsightTally] = [:]
        for index in unpacked.indices { tallies[unpacked.class(index)] = unpacked[index] }
        let series = try InsightSeries(row)
        let sequences = (UInt64(clamping: numbers[10]), UInt64(clamping: numbers[11]))
        self.init(
            key: SessionKey(venueID: series.venueID, sessionID: try row["session_id"]), series: series,
            began: try row["began_unix_ms"], pluggedIn: try row["plugged_in_unix_ms"],
            timestamp: try row["last_unix_ms"],
            energy: Energy(milliwattHours: numbers[0]), powerMilliwatts: numbers[1] < 0 ? nil : numbers[1],
            isRunning: numbers[2] != 0, stage: Int(clamping: numbers[3]), isOver: numbers[4] != 0,
            wasFollowingGuidance: numbers[5] != 0, stateOfChargeAtBegin: numbers[6] < 0 ? nil : Int(numbers[6]),
            stateOfChargeAtLast: numbers[7] < 0 ? nil : Int(numbers[7]), powerMilliwattsMax: numbers[8],
            meanPowerMilliwattsMax: numbers[9], sequences: sequences.0...max(sequences.0, sequences.1),
            isRepaired: numbers[12] != 0, tallies: tallies,
            baseline: try (row["baseline"] as Data?).map(PackedBaseline.unpack))
    }

    private var packedProgress: Data {
        PackedNumbers.pack([
            energy.milliwattHours, powerMilliwatts ?? -1, isRunning ? 1 : 0, Int64(stage), isOver ? 1 : 0,
            wasFollowingGuidance ? 1 : 0, Int64(stateOfChargeAtBegin ?? -1), Int64(stateOfChargeAtLast ?? -1),
            powerMilliwattsMax, meanPowerMilliwattsMax, Int64(clamping: sequences.lowerBound),
            Int64(clamping: sequences.upperBound), isRepaired ? 1 : 0,
        ])
    }
}
