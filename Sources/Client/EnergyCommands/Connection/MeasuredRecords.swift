internal import EnergyModel

/// Marks what an answer about one device or kind measured: its records do not say which it is, heating reports no energy,
/// and a car that took none measured 0.
struct MeasuredRecords {
    let context: CommandContext
    let query: InsightQuery
    /// `nil` as long as no record left it open.
    private var areMeasured: Bool?

    init(context: CommandContext, query: InsightQuery) { (self.context, self.query) = (context, query) }

    /// - Parameter records: of the answer, or a page of it.
    mutating func mark(_ records: inout [InsightRecord]) async throws(CommandFailure) {
        if areMeasured == nil, records.contains(where: { $0.deviceKind == nil && !$0.measuresEnergy }) {
            areMeasured = try await isOfMeasured()
        }
        guard areMeasured == true else { return }
        for index in records.indices { records[index].isMeasured = true }
    }

    private func isOfMeasured() async throws(CommandFailure) -> Bool {
        if let kind = query.deviceKind { return kind != .hvac }
        guard let device = query.deviceID else { return false }
        return try await context.countedDevices(at: query.venueID).contains { $0.key == device && $0.value != .hvac }
    }
}
