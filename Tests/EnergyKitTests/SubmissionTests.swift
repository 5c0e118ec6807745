import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing

@testable import EnergyKit

struct SubmissionTests {
    private let batches = Box<[EventBatch]>([])

    /// An ingestor that takes everything.
    private var services: FakeServices {
        FakeServices { methods in
            methods.on(Methods.submitEvents) { [batches] (batch, _) async throws(EnergyError) in
                batches.update { $0.append(batch) }
                return SubmitResult(accepted: batch.events.count, duplicates: 0)
            }
        }
    }

    private let venue = EnergyVenue(Made.venue())

    private func submitted(_ events: [any ElectricalLoadEventProtocol]) async throws -> [EnergyModel.Event] {
        batches.set([])
        try await services.use { try await venue.submitEvents(events) }
        return batches.value.flatMap(\.events)
    }

    @Test(arguments: [
        (7.2, UnitPower.kilowatts, Int64(7_200_000)), (7_200_000.4, .milliwatts, 7_200_000), (0.0005, .watts, 1),
        (10, .horsepower, 7_457_000), (-1, .watts, -1_000),
    ])
    func `power of any unit arrives as whole milliwatts`(
        value: Double, unit: UnitPower, milliwatts: Int64
    ) async throws {
        let power = Measurement(value: value, unit: unit)
        let event = try #require(try await submitted([Made.vehicle(power: power)]).first)
        guard case .vehicleLoad(let load) = event.content else { throw EnergyKitError.invalidLoadEvent }
        #expect(load.powerMilliwatts == milliwatts)
    }

    @Test(arguments: [
        (3.5, UnitEnergy.kilowattHours, Int64(3_500_000)), (3_500_000.5, .EnergyKit.milliwattHours, 3_500_001),
        (3.6, .joules, 1), (1, .kilocalories, 1_162),
    ])
    func `energy of any unit arrives as whole milliwatt-hours`(
        value: Double, unit: UnitEnergy, milliwattHours: Int64
    ) async throws {
        let energy = Measurement(value: value, unit: unit)
        let event = try #require(try await submitted([Made.vehicle(energy: energy)]).first)
        guard case .vehicleLoad(let load) = event.content else { throw EnergyKitError.invalidLoadEvent }
        #expect(load.energyMilliwattHours == milliwattHours)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, 9.3e18])
    func `what is no number is an invalid event, never a trap`(value: Double) async {
        let wrong: [any ElectricalLoadEventProtocol] = [
            Made.vehicle(power: Measurement(value: value, unit: .milliwatts)),
            Made.vehicle(energy: Measurement(value: value, unit: .EnergyKit.milliwattHours)),
            Made.vehicle(metrics: .init(estimatedRange: Measurement(value: value, unit: .millimeters))),
            Made.vehicle(metrics: .init(batteryTemperature: Measurement(value: value, unit: .kelvin))),
            Made.vehicle(at: Date(timeIntervalSince1970: value)),
        ]
        for event in wrong {
            let error = await #expect(throws: EnergyKitError.self) { try await submitted([Made.hvac(), event]) }
            #expect(error == .invalidLoadEvent)
        }
        #expect(batches.value.isEmpty)
    }

    @Test func `all kinds of events go in one call, in order, with their identifiers`() async throws {
        let (load, hvac, status) = (Made.vehicle(), Made.hvac(), Made.status(.chargingActive(.scheduledStart)))
        let events = try await submitted([load, hvac, status])
        #expect(events.map(\.id) == [load.id, hvac.id, status.id])
        #expect(events.allSatisfy { $0.venueID == venue.id })
        #expect(events.map(\.device.kind) == [.electricVehicle, .hvac, .electricVehicle])
        guard case .vehicleStatus(let sent) = events[2].content else { throw EnergyKitError.invalidLoadEvent }
        #expect(sent.status == .active(.scheduledStart))
        #expect(sent.energyMilliwattHours == 25_000_000)
        #expect(sent.estimatedRangeMillimetres == 193_120_800)
        #expect(sent.sessionID == status.sessionIdentifier)
    }

    @Test func `a status event of another venue is invalid`() async {
        let error = await #expect(throws: EnergyKitError.self) { try await submitted([Made.status(venueID: UUID())]) }
        #expect(error == .invalidLoadEvent)
    }

    @Test func `an event of a type of one's own is invalid`() async {
        struct Own: ElectricalLoadEventProtocol { var id = UUID() }
        let error = await #expect(throws: EnergyKitError.self) {
            try await services.use { try await venue.submitEvents([Own()]) }
        }
        #expect(error == .invalidLoadEvent)
    }

    @Test func `more than a request takes goes in several, in order`() async throws {
        let events = (0..<2_500).map { _ in Made.vehicle() }
        #expect(try await submitted(events).map(\.id) == events.map(\.id))
        #expect(batches.value.map(\.events.count) == [1_000, 1_000, 500])
        #expect(try await submitted([]).isEmpty)
    }

    @Test(arguments: [("", "car-1"), ("\u{7}\u{200B}", "car-1"), ("My\u{0} \u{1F697}", "My \u{1F697}")])
    func `a bad device name is made a good one`(name: String, shown: String) async throws {
        let device = ElectricalLoadDevice(id: "car-1", name: name, type: .electricVehicle)
        let event = Made.vehicle(device: device)
        #expect(event.deviceName == shown)
        #expect(try await submitted([event]).first?.device.name == shown)
    }

    @Test func `cancelling is cancelling, not a failure of the service`() async throws {
        let (reached, reach) = AsyncStream<Void>.makeStream()
        let never = AsyncStream<Void>.makeStream()
        let slow = FakeServices { methods in
            methods.on(Methods.submitEvents) { (_, _) async throws(EnergyError) in
                reach.yield()
                await never.stream.next()
                throw EnergyError(.unavailable, "cancelled")
            }
        }
        let task = Task { try await slow.use { try await venue.submitEvents([Made.vehicle()]) } }
        await reached.next()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
