import EnergyModel
import EnergyTestSupport
import Testing

struct EventDigestTests {
    private let id = EventSamples.id(9)

    @Test func `the digest is stored, so its values never change`() {
        #expect(EventSamples.vehicle(id: id, .active, power: 7_200_000, energy: 5).digest == 16_877_583_223_478_225_681)
        #expect(EventSamples.hvac(id: id, .active, stage: 40).digest == 18_411_628_029_990_341_744)
        #expect(EventSamples.status(id: id, .idle(.batteryFull)).digest == 10_480_027_014_796_653_530)
    }

    @Test func `any change of content changes the digest`() {
        let now = EventSamples.now
        let variants = [
            EventSamples.vehicle(id: id, .active), EventSamples.vehicle(id: id, .end),
            EventSamples.vehicle(id: id, at: now.advanced(byMilliseconds: 1), .active),
            EventSamples.vehicle(id: id, venueID: EventSamples.id(7), .active),
            EventSamples.vehicle(id: id, session: EventSamples.id(7), .active),
            EventSamples.vehicle(id: id, .active, token: EventSamples.id(7)),
            EventSamples.vehicle(id: id, .active, stateOfCharge: 51),
            EventSamples.vehicle(id: id, .active, direction: .exported),
            EventSamples.vehicle(id: id, .active, power: 1), EventSamples.vehicle(id: id, .active, energy: 1),
            EventSamples.vehicle(id: id, .active, range: 0), EventSamples.vehicle(id: id, .active, temperature: 0),
            EventSamples.hvac(id: id, .active), EventSamples.hvac(id: id, .active, stage: 1),
            EventSamples.status(id: id), EventSamples.status(id: id, .unplugged),
            EventSamples.status(id: id, .active(.unknown)), EventSamples.status(id: id, .idle(.unknown)),
            EventSamples.status(id: id, energy: 1), EventSamples.status(id: id, range: 0),
            EventSamples.status(id: id, session: EventSamples.id(3)),
            EventSamples.status(
                id: id, target: ChargingTarget(stateOfCharge: 1, estimatedCompletion: now, scheduledStart: now)),
            EventSamples.status(id: id, device: Device(id: "car-1", name: "Cars", kind: .electricVehicle)),
            EventSamples.status(id: id, device: Device(id: "car-1C", name: "ar", kind: .electricVehicle)),
        ]
        #expect(Set(variants.map(\.digest)).count == variants.count)
    }
}
