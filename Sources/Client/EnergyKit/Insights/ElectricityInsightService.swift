internal import EnergyModel
public import Foundation

/// Answers questions about what devices used, from their load events.
///
/// It answers one question at a time.
public final actor ElectricityInsightService {
    public static let shared = ElectricityInsightService()

    private var isBusy = false

    /// Energy, record by record, sorted by time. A period in which nothing was used has no record.
    ///
    /// The range is widened to calendar windows: see ``ElectricityInsightQuery/Granularity``.
    ///
    /// - Throws: ``EnergyKitError/venueUnavailable`` for an unknown venue, ``EnergyKitError/inProgress`` while another
    ///   question is being answered, ``EnergyKitError/serviceUnavailable``, ``EnergyKitError/permissionDenied``. All is
    ///   there when it returns: the stream ends only with the last record.
    public func energyInsights(
        forDeviceID deviceID: String, using query: ElectricityInsightQuery, atVenue energyVenueID: UUID
    ) async throws -> AsyncStream<ElectricityInsightRecord<Measurement<UnitEnergy>>> {
        try await answer(deviceID, query, energyVenueID) { record in
            ElectricityInsightRecord(record, total: \.totalEnergy) { amount in
                // Heating and cooling report run time only.
                guard record.measuresEnergy else { return nil }
                return Measurement(value: Double(amount.energy.milliwattHours), unit: .EnergyKit.milliwattHours)
            }
        }
    }

    /// Run time; otherwise as ``energyInsights(forDeviceID:using:atVenue:)``.
    public func runtimeInsights(
        forDeviceID deviceID: String, using query: ElectricityInsightQuery, atVenue energyVenueID: UUID
    ) async throws -> AsyncStream<ElectricityInsightRecord<Duration>> {
        try await answer(deviceID, query, energyVenueID) { record in
            ElectricityInsightRecord(record, total: \.totalRuntime) { amount in
                .milliseconds(amount.runtimeMilliseconds)
            }
        }
    }

    private func answer<Measure>(
        _ deviceID: String, _ query: ElectricityInsightQuery, _ venueID: UUID,
        _ convert: (InsightRecord) -> ElectricityInsightRecord<Measure>
    ) async throws -> AsyncStream<ElectricityInsightRecord<Measure>> {
        guard !isBusy else { throw EnergyKitError.inProgress }
        isBusy = true
        defer { isBusy = false }
        let question = InsightQuestion(deviceID: deviceID, venueID: venueID, query: query)
        let records = try await EnergyServices.current().perform(.insights) { (services) async throws(EnergyError) in
            try await question.answer(services)
        }
        let (stream, continuation) = AsyncStream<ElectricityInsightRecord<Measure>>.makeStream()
        for record in records { continuation.yield(convert(record)) }
        continuation.finish()
        return stream
    }
}

extension ElectricityInsightRecord {
    fileprivate init(
        _ record: InsightRecord, total: WritableKeyPath<Self, Measure?>, measure: (InsightAmount) -> Measure?
    ) {
        self.init(range: DateInterval(record.interval))
        self[keyPath: total] = measure(record.total)
        if let parts = record.byCleanliness?.compactMapValues(measure) {
            dataByGridCleanliness = GridCleanliness(
                cleaner: parts[.cleaner], lessClean: parts[.lessClean], avoid: parts[.avoid],
                unknown: parts[.unknown])
        }
        // A breakdown in which everything is unknown says that no rate was known.
        if let parts = record.byTariff?.compactMapValues(measure), parts.contains(where: { $0.key != .unknown }) {
            dataByTariffPeak = TariffPeak(
                superOffPeak: parts[.superOffPeak], offPeak: parts[.offPeak], partialPeak: parts[.partialPeak],
                onPeak: parts[.onPeak], criticalPeak: parts[.criticalPeak], unknown: parts[.unknown])
        }
    }
}
