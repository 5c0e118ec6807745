import EnergyKit
import EnergyModel
import EnergyTestSupport
import Testing

/// What is saved is read back as it was.
struct CodableTests {
    private func copy<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    /// Types that cannot be compared are compared as written.
    private func expectRoundTrip<Value: Codable>(_ value: Value, sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(
            try encoder.encode(try copy(value)) == encoder.encode(value), "\(Value.self)",
            sourceLocation: sourceLocation)
    }

    @Test func `every value survives being saved`() throws {
        let metrics = ElectricVehicleLoadEvent.ElectricalMeasurement.PerformanceMetrics(
            estimatedRange: Measurement(value: 120, unit: .miles),
            batteryTemperature: Measurement(value: 25, unit: .celsius))
        try expectRoundTrip(Made.vehicle(metrics: metrics))
        try expectRoundTrip(Made.hvac())
        try expectRoundTrip(Made.car)
        try expectRoundTrip(
            ElectricityInsightQuery(
                options: [.cleanliness, .tariff], range: DateInterval(start: Made.start, duration: 60),
                granularity: .weekly, flowDirection: .exported))
        try expectRoundTrip(ElectricityGuidance.Query(suggestedAction: .reduce))
        try expectRoundTrip(
            ElectricityGuidance.Value(interval: DateInterval(start: Made.start, duration: 60), rating: 0.1))
        #expect(try copy(metrics) == metrics)
        let status = Made.status(.chargingIdle(.loadBalancing))
        #expect(try copy(status).status == status.status)
        #expect(try copy(status).chargingTarget == status.chargingTarget)
        #expect(try copy(status).energy == status.energy)
        #expect(try copy(status).id == status.id)
    }

    @Test func `every case of every enumeration survives being saved`() throws {
        for reason in ElectricVehicleChargingReason.ActiveReason.allCases { #expect(try copy(reason) == reason) }
        for reason in ElectricVehicleChargingReason.IdleReason.allCases {
            let status = ElectricVehicleStatusEvent.Status.chargingIdle(reason)
            #expect(try copy(status) == status)
        }
        let options = ElectricityGuidance.Options.allCases
        #expect(options == [.locationHasRatePlan, .guidanceIncorporatesRatePlan])
        #expect(try copy(Set(options)) == Set(options))
        #expect(ElectricVehicleChargingReason.ActiveReason.allCases.count == 13)
        #expect(ElectricVehicleChargingReason.IdleReason.allCases.count == 16)
        #expect(ElectricalLoadDevice.DeviceType(rawValue: "electricVehicle") == .electricVehicle)
    }

    @Test func `a milliwatt-hour is 3.6 joules`() {
        let energy = Measurement<UnitEnergy>(value: 1_000_000, unit: .EnergyKit.milliwattHours)
        #expect(energy.converted(to: .kilowattHours).value == 1)
        #expect(Measurement<UnitEnergy>(value: 1, unit: .EnergyKit.milliwattHours).converted(to: .joules).value == 3.6)
    }
}
