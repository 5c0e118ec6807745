import EnergyModel
import EnergyTransport
import EnergyWire
import Foundation
import Testing

extension EndToEnd {
    struct Simulator {
        @Test(.timeLimit(.minutes(2)))
        func `the simulator leaves two weeks of history behind, and follows plans`() async throws {
            try await Installation.with(.ipc) { installation in
                try await installation.start(.simulator)
                let guidance = try installation.client(.guidance)
                let venue = try #require(try await guidance.call(Methods.listVenues, Empty()).venues.first)
                try await installation.client(.insights).wait(for: Topics.allInsights) {
                    let days = try await days(installation, venue)
                    // The car rests on some Sundays.
                    return days.filter { $0.runtimeMilliseconds > 0 }.count >= 14
                        && days.filter { $0.energy > .zero }.count >= 9
                }
                let devices = try await installation.client(.scheduler).call(
                    Methods.listDevices, VenueFilter(venueID: venue.id)
                ).devices
                #expect(Set(devices.map(\.device.kind)) == [.electricVehicle, .hvac])
                try await installation.client(.scheduler).wait(for: Topics.allSchedules) {
                    let schedules = try await installation.client(.scheduler).call(
                        Methods.listSchedules, ScheduleFilter(venueID: venue.id)
                    ).schedules
                    return !schedules.isEmpty
                }
                let shown = try await installation.energyctl("insights", "--venue", venue.id.uuidString)
                #expect(shown.status == .code(0))
                #expect(shown.output.split(separator: "\n").count >= 15)
                #expect(try await installation.stop(.simulator) == .code(0))
            }
        }

        /// What both devices did on each of the last days, 14 times 24 hours in all.
        private func days(
            _ installation: Installation, _ venue: Venue
        ) async throws(EnergyError) -> [InsightAmount] {
            let now = SystemWallClock().now
            let query = InsightQuery(
                venueID: venue.id, deviceID: nil,
                range: Interval(
                    start: now.advanced(byMilliseconds: -14 * .millisecondsPerDay),
                    milliseconds: 14 * .millisecondsPerDay),
                granularity: .daily, exactRange: true)
            let client: any RequestClient
            do { client = try installation.client(.insights) } catch { throw EnergyError(.unavailable, "\(error)") }
            var days: [InsightAmount] = []
            try await client.stream(Methods.queryInsights, query) { (page) async throws(EnergyError) in
                days += page.records.map(\.total)
            }
            return days
        }
    }
}
