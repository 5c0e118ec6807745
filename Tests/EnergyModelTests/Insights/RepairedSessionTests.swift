import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

/// Which repairs may be made: those that an event in its place could have said.
struct RepairedSessionTests {
    private typealias Repairs = [EventRepair.Target: EventRepair.Action]

    private func event(_ state: Session.State, hours: Int64, energy: Int64) -> Event {
        EventSamples.vehicle(
            at: EventSamples.now.advanced(byMilliseconds: hours * .millisecondsPerHour), state, energy: energy)
    }

    private func energy(_ milliwattHours: Int64) -> EventRepair.Action {
        .energy(Energy(milliwattHours: milliwattHours))
    }

    private func target(_ event: Event) -> EventRepair.Target {
        EventRepair.Target(venueID: event.venueID, eventID: event.id)
    }

    private func refusal(
        _ events: [Event], with repairs: Repairs = [:], _ event: Event, _ action: EventRepair.Action
    ) -> EnergyError? {
        do throws(EnergyError) {
            _ = try RepairedSession(events, repairs: repairs).verdict(on: event.id, action)
            return nil
        } catch { return error }
    }

    @Test func `what an event counts as is what was sent, or what was set right before`() throws {
        let events = [
            event(.begin, hours: 0, energy: 0), event(.active, hours: 1, energy: 5), event(.end, hours: 2, energy: 9),
        ]
        let session = RepairedSession(events, repairs: [target(events[1]): energy(7)])
        #expect(try session.verdict(on: events[1].id, energy(8)).before == energy(7))
        #expect(try session.verdict(on: events[2].id, energy(8)).before == energy(9))
        let ignored = RepairedSession(events, repairs: [target(events[1]): .ignore])
        #expect(try ignored.verdict(on: events[1].id, energy(8)).before == .ignore)
    }

    @Test func `what was set right is withdrawn where what was sent fits before what is set right after it`() throws {
        let events = [
            event(.begin, hours: 0, energy: 0), event(.active, hours: 1, energy: 50), event(.end, hours: 2, energy: 90),
        ]
        #expect(refusal(events, events[1], .asSent)?.code == .notFound)
        let both = [target(events[1]): energy(30), target(events[2]): energy(40)]
        #expect(refusal(events, with: both, events[1], .asSent)?.violations.first?.field == "energy_mwh")
        #expect(refusal(events, with: both, events[2], .asSent) == nil)
        let session = RepairedSession(events, repairs: [target(events[1]): .ignore])
        #expect(try session.verdict(on: events[1].id, .asSent).before == .ignore)
        // A counter that fell as it was sent is no fault of the withdrawal.
        let falling = [
            event(.begin, hours: 0, energy: 0), event(.active, hours: 1, energy: 50), event(.end, hours: 2, energy: 40),
        ]
        let repaired = RepairedSession(falling, repairs: [target(falling[1]): energy(30)])
        #expect(try repaired.verdict(on: falling[1].id, .asSent).remaining?.field == "vehicle_load.energy_mwh")
    }

    @Test func `its neighbours count as they were set right`() {
        let events = [
            event(.begin, hours: 0, energy: 0), event(.active, hours: 1, energy: 50), event(.end, hours: 2, energy: 90),
        ]
        #expect(refusal(events, events[2], energy(40))?.violations.first?.field == "energy_mwh")
        #expect(refusal(events, with: [target(events[1]): .ignore], events[2], energy(40)) == nil)
        #expect(refusal(events, with: [target(events[1]): energy(30)], events[2], energy(40)) == nil)
        #expect(refusal(events, with: [target(events[2]): energy(95)], events[1], energy(95)) == nil)
        // An end that is ignored ends its session with what was there before.
        #expect(refusal(events, with: [target(events[2]): .ignore], events[1], energy(900)) == nil)
    }

    @Test func `an event that keeps a session from being over cannot be ignored`() {
        let events = [
            event(.begin, hours: 0, energy: 0), event(.active, hours: 10 * 24, energy: 50),
            event(.end, hours: 20 * 24, energy: 90),
        ]
        #expect(refusal(events, events[1], .ignore)?.violations.first?.rule.contains("after 1209600000 ms") == true)
    }

    @Test func `an event of another session is not found`() {
        #expect(
            refusal([event(.begin, hours: 0, energy: 0)], event(.end, hours: 1, energy: 1), .ignore)?.code == .notFound)
    }
}
