internal import EnergyModel

/// Marks what an answer measured whose records do not say of which kind they are: heating reports no energy, and a car that
/// took none measured 0.
struct MeasuredRecords {
    let context: CommandContext
    let query: InsightQuery
    /// `nil` as long as no record left it open.
    private var areMeasured: Bool?

    init(context: CommandContext, query: InsightQuery) { (self.context, self.query) = (context, query) }

    /// - Parameter records: of the answer, or a page of it.
    mutating func mark(_ records: inout [InsightRecord]) async throws(CommandFailure) {
        // Where types or devices are apart each record says its own: finding out which there are must not ask for that again.
        guard query.grouping == .venue else { return }
        if areMeasured == nil, records.contains(where: { $0.deviceKind == nil && !$0.measuresEnergy }) {
            areMeasured = try await isOfMeasured()
        }
        guard areMeasured == true else { return }
        for index in records.indices { records[index].isMeasured = true }
    }

    private func isOfMeasured() async throws(CommandFailure) -> Bool {
        if let kind = query.deviceKind { return kind != .hvac }
        let kinds = try await context.countedDevices(at: query.venueID)
        guard let device = query.deviceID else { return !kinds.isEmpty && !kinds.values.contains(.hvac) }
        return kinds[device].map { $0 != .hvac } ?? false
    }
}
