internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

/// Where signals and prices come from, and when less is asked for.
extension API {
    func sources(_ request: PageRequest) async -> Reply {
        await answer { () async throws(EnergyError) in
            let context = try await context(request)
            return SourcesDocument(try await pages.reader.sources(context.venue), in: context.venue.timeZone)
        }
    }

    func ratePlans(_ request: PageRequest) async -> Reply {
        await answer { () async throws(EnergyError) in RatePlansDocument(try await pages.reader.ratePlans()) }
    }

    func limits(_ request: PageRequest) async -> Reply {
        await answer { () async throws(EnergyError) in
            let venue = PlannedVenue(venueID: try await context(request).venue.id)
            return LimitsDocument(try await pages.reader.call(.schedule, Methods.getLimits, venue))
        }
    }

    func events(_ request: PageRequest) async -> Reply {
        await answer { () async throws(EnergyError) in
            let context = try await context(request)
            return EventsDocument(try await events(context), in: context.venue.timeZone)
        }
    }

    func addEvent(_ request: PageRequest) async -> Reply {
        await answer(status: 201) { () async throws(EnergyError) in
            let context = try await context(request)
            let body: EventBody = try request.json()
            let event = try await pages.reader.call(
                .guidance, Methods.putDemandResponse, try body.event(for: context.venue))
            return EventDocument(event, in: context.venue.timeZone)
        }
    }

    func cancelEvent(_ request: PageRequest) async -> Reply {
        await done { () async throws(EnergyError) in
            let (context, id) = (try await context(request), try id("event", request))
            guard try await events(context).contains(where: { $0.id == id }) else {
                throw EnergyError(.notFound, "no event that concerns the venue has that id")
            }
            _ = try await pages.reader.call(
                .guidance, Methods.cancelDemandResponse, DemandResponseReference(id: id))
        }
    }

    private func events(_ context: PageContext) async throws(EnergyError) -> [DemandResponseEvent] {
        try await pages.reader.call(
            .guidance, Methods.listDemandResponse, DemandResponseFilter(venueID: context.venue.id)
        ).events
    }
}
