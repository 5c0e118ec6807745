import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing
import ZeroMQTransport

extension EndToEnd {
    /// Replicas that share a database.
    @Suite(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
    struct Replicas {
        /// Of all replicas, as programs have it.
        private func client(of installations: [Installation], _ service: ServiceName) throws -> ZeroMQClient {
            let addresses = try installations.map { try $0.address(service) }
            return try ZeroMQClient(
                requestAddresses: addresses.map(\.requests), publishAddresses: addresses.map(\.publications))
        }

        /// Returns once a scheduler plans so many partitions, and says which.
        private func partitions(of installation: Installation, once count: Int) async throws -> Set<Int> {
            let client = try installation.client(.scheduler)
            while true {
                var planned: Set<Int> = []
                for partition in LogPartition.all {
                    do throws(EnergyError) {
                        _ = try await client.call(
                            Methods.listDevices, VenueFilter(venueID: EventSamples.id(UInt64(partition))))
                        planned.insert(partition)
                    } catch { #expect(error.code == .unavailable) }
                }
                if planned.count == count { return planned }
            }
        }

        private func waitForMetric(_ line: String, of installation: Installation) async throws {
            while try await !installation.metrics(.scheduler).contains("\n\(line)\n") {}
        }

        @Test(.timeLimit(.minutes(3)))
        func `schedulers divide the venues, and have those of one that is killed, hangs or is stopped`() async throws {
            let settings = ["GRIDTIDE_STORE_POSTGRESQL": try await PostgreSQLServer.shared.value.database()]
            try await Installation.with(.ipc, services: [.guidance, .events]) { first in
                try await first.start(.scheduler, settings: settings)
                let home = try await Household.move(into: first)
                let place = ["--venue", home.venue.name, "--device", Household.car.id]
                _ = try await first.json(
                    ["schedule", "add-device", "--name", "Car", "--battery", "75", "--power", "11"] + place)
                _ = try await first.json(["schedule", "set", "--ready-by", "20h", "--energy", "9"] + place)
                try await Installation.with(.ipc, services: [.scheduler], settings: settings, beside: first) { second in
                    let both = [first, second]
                    let client = try client(of: both, .scheduler)
                    func goals(_ venueID: UUID?) async throws -> [UUID] {
                        try await client.call(Methods.listSchedules, ScheduleFilter(venueID: venueID))
                            .schedules.map(\.goal.id)
                    }
                    let known = try await goals(home.venue.id)
                    #expect(known.count == 1)
                    let halves = try await (partitions(of: first, once: 8), partitions(of: second, once: 8))
                    #expect(halves.0.union(halves.1) == LogPartition.all)
                    for installation in both { try await waitForMetric("gridtide_partitions_held 8", of: installation) }
                    #expect(try await goals(home.venue.id) == known)
                    // Of all venues each answers.
                    for installation in both {
                        let all = try await installation.client(.scheduler).call(
                            Methods.listSchedules, ScheduleFilter())
                        #expect(all.schedules.map(\.goal.id) == known)
                    }

                    try await first.kill(.scheduler)
                    #expect(try await partitions(of: second, once: 16) == LogPartition.all)
                    try await waitForMetric("gridtide_partitions_held 16", of: second)
                    #expect(try await goals(home.venue.id) == known)
                    try await first.start(.scheduler, settings: settings)
                    _ = try await partitions(of: first, once: 8)

                    let hung = try second.process(.scheduler)
                    hung.send(SIGSTOP)
                    #expect(try await partitions(of: first, once: 16) == LogPartition.all)
                    #expect(try await goals(home.venue.id) == known)
                    // It knows that its leases are over, and begins anew with what is free.
                    hung.send(SIGCONT)
                    _ = try await partitions(of: second, once: 8)
                    #expect(try await goals(home.venue.id) == known)
                    #expect(try await first.stop(.scheduler) == .code(0))
                    #expect(try await goals(home.venue.id) == known)
                    await client.close()
                }
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func `what one publisher and insight-service knew, those that take over know, and tokens stay valid`()
            async throws
        {
            let settings = ["GRIDTIDE_STORE_POSTGRESQL": try await PostgreSQLServer.shared.value.database()]
            try await Installation.with(.ipc, services: [.guidance, .events, .insights], settings: settings) { first in
                let home = try await Household.move(into: first)
                let token = try await home.guidance().token
                try await home.submit(home.session(energy: 3_000_003, hoursAgo: 3, token: token))
                try await home.waitForInsights(energy: 3_000_003)
                try await Installation.with(
                    .ipc, services: [.guidance, .insights], settings: settings, beside: first
                ) { second in
                    let guest = Household(installation: second, venue: home.venue)
                    _ = try await second.process(.insights).error.line(containing: "follows another replica")
                    #expect(try await guest.insightEnergy() == 3_000_003)
                    // Who leads counts and repairs, and clients that know both find it.
                    let client = try client(of: [first, second], .insights)
                    let repair = RepairDraft(
                        venueID: home.venue.id, sessionID: UUID(), eventID: UUID(), action: .ignore, reason: "test")
                    let refusals = try [client, second.client(.insights)].map { client in
                        Task { try await client.call(Methods.repairEvent, repair) }
                    }
                    let codes = await [refusals[0].result, refusals[1].result].map { result in
                        if case .failure(let error as EnergyError) = result {
                            error.code
                        } else {
                            EnergyError.Code?.none
                        }
                    }
                    #expect(codes == [.notFound, .unavailable])
                    await client.close()
                    try await first.kill(.insights)
                    #expect(try await guest.insightEnergy() == 3_000_003)
                    try await home.submit(home.session(energy: 2_000_000, hoursAgo: 1, token: token))
                    try await guest.waitForInsights(energy: 5_000_003)
                    #expect(try await guest.guidance().token == home.guidance().token)
                    try await first.kill(.guidance)
                    // At once, not only when it leads.
                    let known = try await second.client(.guidance).call(
                        Methods.resolveToken, TokenReference(token: token))
                    #expect(known.venueID == home.venue.id)
                }
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func `publishers publish the same, under the same numbers, and what one changes all answer with`() async throws
        {
            let settings = ["GRIDTIDE_STORE_POSTGRESQL": try await PostgreSQLServer.shared.value.database()]
            try await Installation.with(.ipc, services: [.guidance], settings: settings) { first in
                try await Installation.with(.ipc, services: [.guidance], settings: settings, beside: first) { second in
                    _ = try await second.process(.guidance).error.line(containing: "follows another replica")
                    #expect(try await first.metrics(.guidance).contains("\ngridtide_leads 1\n"))
                    #expect(try await second.metrics(.guidance).contains("\ngridtide_leads 0\n"))
                    var subscriptions: [Subscription.AsyncIterator] = []
                    for installation in [first, second] {
                        var events = try installation.client(.guidance).subscribe("guidance/").makeAsyncIterator()
                        #expect(await events.next() == .joined)
                        subscriptions.append(events)
                    }
                    let client = try client(of: [first, second], .guidance)
                    // Whichever it asks first, the one that leads makes it.
                    var draft = VenueDraft(
                        id: nil, name: "Barn", timeZone: try #require(TimeZone(identifier: "America/Los_Angeles")),
                        region: "CISO")
                    var published: [[Publication]] = [[], []]
                    for name in ["Barn", "Shed", "Mill"] {
                        draft.name = name
                        draft.id = try await client.call(Methods.putVenue, draft).id
                        for index in subscriptions.indices {
                            let count = published[index].count + SuggestedAction.allCases.count
                            while published[index].count < count, let event = await subscriptions[index].next() {
                                guard case .publication(let publication) = event, let id = draft.id,
                                    publication.topic.contains(id.uuidString.lowercased())
                                else { continue }
                                published[index].append(publication)
                            }
                        }
                        for installation in [first, second] {
                            let venues = try await installation.client(.guidance).call(Methods.listVenues, Empty())
                            #expect(venues.venues.contains { $0.name == name })
                        }
                    }
                    // An hour that turns meanwhile publishes once more.
                    let known = Set(published[0])
                    #expect(published[1].prefix(6).allSatisfy { known.contains($0) || $0.sequence > 3 })
                    for events in published {
                        let topics = Dictionary(grouping: events, by: \.topic).values
                        #expect(topics.count == 2)
                        for topic in topics { #expect(topic.map(\.sequence).prefix(3) == [1, 2, 3]) }
                    }
                    await client.close()
                }
            }
        }
    }
}
