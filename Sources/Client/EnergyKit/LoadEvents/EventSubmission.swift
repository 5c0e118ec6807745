internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

/// Sends events of one venue.
struct EventSubmission {
    let venueID: UUID

    func submit(_ events: [any ElectricalLoadEventProtocol]) async throws {
        guard !events.isEmpty else { return }
        try await EnergyServices.current().perform(.submission) { (services) async throws(EnergyError) in
            try await submit(events, services)
        }
    }

    /// - Throws: as the service refused it, which says more than an ``EnergyKitError``.
    func submit(
        _ events: [any ElectricalLoadEventProtocol], _ services: EnergyServices
    ) async throws(EnergyError) {
        // All are converted before any is sent: an event that does not fit stops the whole call.
        let events = try converted(events)
        for start in stride(from: 0, to: events.count, by: EventBatch.eventsMax) {
            let part = events[start..<min(start + EventBatch.eventsMax, events.count)]
            _ = try await services.call(.events, Methods.submitEvents, EventBatch(events: Array(part)))
        }
    }

    private func converted(
        _ events: [any ElectricalLoadEventProtocol]
    ) throws(EnergyError) -> [EnergyModel.Event] {
        var result: [EnergyModel.Event] = []
        result.reserveCapacity(events.count)
        for (index, event) in events.enumerated() {
            guard let event = event as? any SubmittableEvent else {
                throw .invalidInput(
                    RuleViolation(
                        index: index, field: "content", rule: "must be a load or status event of EnergyKit",
                        value: "\(type(of: event))"))
            }
            do throws(EnergyError) { result.append(try event.model(venueID: venueID)) } catch {
                throw EnergyError(
                    error.code, "event \(index): \(error.message)",
                    violations: error.violations.map { $0.at(index: index) })
            }
        }
        return result
    }
}
