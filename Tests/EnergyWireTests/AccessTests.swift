import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing

/// What a key allows is decided before a handler is asked.
@Suite struct AccessTests {
    private static let mine = UUID()
    private static let other = UUID()

    private func context(_ permissions: Set<Permission>, venues: Set<UUID>? = nil) -> RequestContext {
        RequestContext(
            principal: Principal(name: "car", permissions: permissions, venues: venues), timeout: .seconds(1))
    }

    private func call(
        _ table: MethodTable, _ method: String, _ body: [UInt8], _ context: RequestContext
    ) async throws(CallFailure) -> [UInt8] {
        guard case .unary(let handler)? = table.entries[method]?.handler else {
            throw CallFailure(.unimplemented, method)
        }
        return try await handler(body, context)
    }

    @Test func `a request without its permission never reaches the handler`() async throws {
        var table = MethodTable()
        table.on(Methods.getGuidance) { (_, _) async throws(EnergyError) in throw EnergyError(.notFound, "asked") }
        let body = GuidanceRequest(venueID: Self.mine, action: .shift).encoded()
        for permission in Permission.allCases {
            let failure = await #expect(throws: CallFailure.self) {
                try await call(table, Methods.getGuidance.name, body, context([permission]))
            }
            #expect(failure?.code == (permission == .guidance ? .notFound : .permissionDenied), "\(permission)")
        }
    }

    @Test func `a request about another venue is denied, and one of a batch denies the batch`() async throws {
        var table = MethodTable()
        table.on(Methods.submitEvents) { (batch, _) async throws(EnergyError) in
            SubmitResult(accepted: batch.events.count, duplicates: 0)
        }
        func submit(_ venues: [UUID]) async throws(CallFailure) {
            var events: [Event] = []
            for venue in venues {
                let sample = EventSamples.vehicle(.begin)
                events.append(
                    Event(
                        id: UUID(), timestamp: sample.timestamp, venueID: venue, device: sample.device,
                        content: sample.content))
            }
            _ = try await call(
                table, Methods.submitEvents.name, EventBatch(events: events).encoded(),
                context([.events], venues: [Self.mine]))
        }
        try await submit([Self.mine, Self.mine])
        let failure = await #expect(throws: CallFailure.self) { try await submit([Self.mine, Self.other]) }
        #expect(failure?.code == .permissionDenied)
        #expect(failure?.message.contains(Self.other.uuidString.lowercased()) == true)
    }

    @Test func `what concerns all venues is denied to who has some`() async throws {
        var table = MethodTable()
        table.on(Methods.logHeads) { (_, _) async throws(EnergyError) in LogHeads(heads: []) }
        _ = try await call(table, Methods.logHeads.name, [], context([.admin]))
        let failure = await #expect(throws: CallFailure.self) {
            try await call(table, Methods.logHeads.name, [], context([.admin], venues: [Self.mine]))
        }
        #expect(failure?.code == .permissionDenied)
    }

    @Test func `lists leave out what is not the caller's, and a venue of others is not found`() async throws {
        @Sendable func venue(_ id: UUID) -> Venue {
            Venue(id: id, name: "Home", timeZone: .gmt, region: "CISO", changed: EventSamples.now)
        }
        var table = MethodTable()
        table.on(Methods.listVenues) { (_, _) async throws(EnergyError) in
            VenueList(venues: [venue(Self.mine), venue(Self.other)])
        }
        table.on(Methods.getVenue) { (_, _) async throws(EnergyError) in venue(Self.other) }
        let limited = context([.guidance], venues: [Self.mine])
        let listed = try VenueList(decoding: try await call(table, Methods.listVenues.name, [], limited))
        #expect(listed.venues.map(\.id) == [Self.mine])
        let failure = await #expect(throws: CallFailure.self) {
            try await call(table, Methods.getVenue.name, VenueReference.homeID(UUID()).encoded(), limited)
        }
        #expect(failure?.code == .notFound)
    }

    @Test func `topics need the permission of their kind and the venue in their name`() {
        let limited = Principal(name: "car", permissions: [.guidance], venues: [Self.mine])
        let everywhere = Principal(name: "wall", permissions: [.guidance, .schedules])
        #expect(Topics.mayRead(limited, Topics.guidance(venueID: Self.mine)))
        #expect(!Topics.mayRead(limited, Topics.guidance(venueID: Self.other)))
        for topic in [
            Topics.allGuidance, "", "guidance", "guidance/\(Self.mine.uuidString.dropLast())", "GUIDANCE/\(Self.mine)/",
            Topics.events(venueID: Self.mine),
        ] {
            #expect(!Topics.mayRead(limited, topic), "\(topic)")
        }
        #expect(Topics.mayRead(everywhere, Topics.allGuidance))
        #expect(Topics.mayRead(everywhere, Topics.schedule(venueID: Self.other, deviceID: "x")))
        #expect(!Topics.mayRead(everywhere, Topics.allEvents))
        #expect(!Topics.mayRead(everywhere, ""))
        #expect(Topics.mayRead(.local, Topics.allInsights))
    }
}
