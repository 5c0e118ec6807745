import EnergyModel
import Testing

@testable import EnergyWire

@Suite struct `Every message survives its trip` {
    @Test(arguments: UInt64(0)..<100)
    func `what is decoded is what was encoded, for every message`(seed: UInt64) throws {
        var values = RandomValues(seed: seed)
        for message in AnyMessage.one(ofEach: &values) {
            #expect(try message.decodesToItself(), "\(message.value)")
        }
    }

    @Test(arguments: UInt64(0)..<100)
    func `values that travel inside a method's own request come back`(seed: UInt64) throws {
        var values = RandomValues(seed: seed)
        let (plan, device) = (values.ratePlan(), values.managedDevice())
        #expect(try Methods.putRatePlan.request.decode(Methods.putRatePlan.request.encode(plan)) == plan)
        #expect(try Methods.putDevice.request.decode(Methods.putDevice.request.encode(device)) == device)
        let event = values.demandResponseEvent()
        #expect(
            try Methods.putDemandResponse.request.decode(Methods.putDemandResponse.request.encode(event)) == event)
        // Not the reply's form: the contract wraps the request.
        #expect(Methods.putRatePlan.request.encode(plan) != plan.encoded())
    }

    @Test func `a thousand events fit into one batch, and come back`() throws {
        var values = RandomValues(seed: 1)
        let batch = EventBatch(events: values.list(1_000...1_000) { $0.event() })
        #expect(try EventBatch(decoding: batch.encoded()) == batch)
    }

    @Test func `an empty message takes no bytes`() throws {
        #expect(Empty().encoded().isEmpty)
        #expect(try Empty(decoding: []) == Empty())
        #expect(VenueFilter().encoded().isEmpty)
        #expect(try VenueFilter(decoding: []) == VenueFilter())
    }

    @Test func `a vehicle's efficiency reads as 0.9 when it is not given`() throws {
        var values = RandomValues(seed: 2)
        let device = ManagedDevice(
            device: values.device(), venueID: values.uuid(),
            vehicle: VehicleTraits(batteryCapacity: values.energy(), powerMax: values.power(), efficiency: 0))
        #expect(try ManagedDevice(decoding: device.encoded()).vehicle?.efficiency == 0.9)
    }
}
