import EnergyModel
import EnergyTransport
import EnergyWire
import Foundation

/// A venue with a car, made through the public API.
struct Household: Sendable {
    let installation: Installation
    let venue: Venue

    static let zone = "America/Los_Angeles"
    static let car = Device(id: "e2e-car", name: "Test car", kind: .electricVehicle)

    /// Adds the venue with `energyctl`, as a person would.
    static func move(into installation: Installation, name: String = "E2E Home") async throws -> Household {
        _ = try await installation.json("venues", "add", "--name", name, "--zone", zone, "--region", "CISO")
        let venues = try await installation.client(.guidance).call(Methods.listVenues, Empty()).venues
        guard let venue = venues.first(where: { $0.name == name }) else { throw HarnessError("no venue \(name)") }
        return Household(installation: installation, venue: venue)
    }

    /// The venue that was added before.
    static func find(in installation: Installation, name: String = "E2E Home") async throws -> Household {
        let venues = try await installation.client(.guidance).call(Methods.listVenues, Empty()).venues
        guard let venue = venues.first(where: { $0.name == name }) else { throw HarnessError("no venue \(name)") }
        return Household(installation: installation, venue: venue)
    }

    func guidance() async throws -> Guidance {
        try await installation.client(.guidance).call(
            Methods.getGuidance, GuidanceRequest(venueID: venue.id, action: .shift))
    }

    /// A charging session that ended a little while ago.
    ///
    /// - Parameters:
    ///   - energy: in total, mWh.
    ///   - hoursAgo: when it ended; it takes an hour.
    func session(energy: Int64, hoursAgo: Int64, token: UUID, steps: Int64 = 4) -> [Event] {
        let end = SystemWallClock().now.advanced(byMilliseconds: -hoursAgo * .millisecondsPerHour)
        let id = UUID()
        return (0...steps).map { step in
            let state: Session.State = step == 0 ? .begin : step == steps ? .end : .active
            let session = Session(id: id, state: state, wasFollowingGuidance: true, guidanceToken: token)
            let load = VehicleLoad(
                session: session, stateOfCharge: 40 + Int(step), direction: .imported,
                powerMilliwatts: state == .active ? 7_000_000 : 0, energyMilliwattHours: energy * step / steps)
            let time = end.advanced(byMilliseconds: -(steps - step) * .millisecondsPerHour / steps)
            return Event(
                id: UUID(), timestamp: time, venueID: venue.id, device: Self.car, content: .vehicleLoad(load))
        }
    }

    @discardableResult
    func submit(_ events: [Event]) async throws -> SubmitResult {
        try await installation.client(.events).call(Methods.submitEvents, EventBatch(events: events))
    }

    /// Imported energy of the last three days, by the insight-service.
    func insightEnergy(_ granularity: Granularity = .daily) async throws(EnergyError) -> Int64 {
        let now = SystemWallClock().now
        let query = InsightQuery(
            venueID: venue.id, deviceID: nil,
            range: Interval(
                start: now.advanced(byMilliseconds: -3 * .millisecondsPerDay), milliseconds: 3 * .millisecondsPerDay),
            granularity: granularity, exactRange: true)
        let client: any RequestClient
        do { client = try installation.client(.insights) } catch { throw EnergyError(.unavailable, "\(error)") }
        var sum: Int64 = 0
        try await client.stream(Methods.queryInsights, query) { (page) async throws(EnergyError) in
            for record in page.records { sum += record.total.energy.milliwattHours }
        }
        return sum
    }

    /// Waits until the insights show so much energy.
    func waitForInsights(energy: Int64) async throws {
        try await installation.client(.insights).wait(for: "insights/\(venue.id.uuidString.lowercased())/") {
            try await self.insightEnergy() == energy
        }
    }

    /// All events of this venue in the log.
    func log() async throws -> [Event] {
        var events: [Event] = []
        let position = LogPosition(partition: LogPartition.of(venueID: venue.id), afterSequence: 0)
        try await installation.client(.events).stream(Methods.readLog, position) { (page) async throws(EnergyError) in
            for record in page.records where record.venueID == venue.id { events += record.events }
        }
        return events
    }
}

extension Subscriber {
    /// Waits until `condition` holds. It is looked at when the subscription is in force, and after each publication; a
    /// service that is unavailable just then is asked again, a few times at once and then with the next publication.
    func wait(for prefix: String, until condition: @Sendable () async throws -> Bool) async throws {
        for await _ in subscribe(prefix) {
            for _ in 0..<10 {
                do {
                    if try await condition() { return }
                    break
                } catch let error as EnergyError where error.code == .unavailable {}
            }
        }
        try Task.checkCancellation()
        throw HarnessError("the subscription to \(prefix) ended")
    }
}
