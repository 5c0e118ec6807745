internal import EnergyModel
public import EnergyTransport
internal import EnergyWire

/// The methods of the guidance-publisher.
public enum GuidanceHandler {
    /// Adds Venues, RatePlans, DemandResponse, Guidance and Signals to what a service answers.
    public static func register(_ publisher: GuidancePublisher, on methods: inout MethodTable) {
        methods.on(Methods.listVenues) { (_, _) async throws(EnergyError) in try await publisher.listVenues() }
        methods.on(Methods.getVenue) { (request, _) async throws(EnergyError) in try await publisher.venue(request) }
        methods.on(Methods.putVenue) { (draft, _) async throws(EnergyError) in try await publisher.put(draft) }
        methods.on(Methods.removeVenue) { (removal, _) async throws(EnergyError) in try await publisher.remove(removal)
        }
        methods.on(Methods.listRatePlans) { (_, _) async throws(EnergyError) in try await publisher.listRatePlans() }
        methods.on(Methods.putRatePlan) { (plan, _) async throws(EnergyError) in try await publisher.put(plan) }
        methods.on(Methods.removeRatePlan) { (removal, _) async throws(EnergyError) in
            try await publisher.remove(removal)
        }
        methods.on(Methods.putDemandResponse) { (event, context) async throws(EnergyError) in
            try await publisher.declare(event, source: context.principal.name)
        }
        methods.on(Methods.listDemandResponse) { (filter, _) async throws(EnergyError) in
            try await publisher.listDemandResponse(filter)
        }
        methods.on(Methods.cancelDemandResponse) { (reference, _) async throws(EnergyError) in
            try await publisher.cancel(reference)
        }
        methods.on(Methods.getGuidance) { (request, context) async throws(EnergyError) in
            try await publisher.guidance(request, principal: context.principal.name)
        }
        methods.on(Methods.resolveToken) { (request, _) async throws(EnergyError) in
            try await publisher.resolve(request)
        }
        methods.on(Methods.signalHistory) { (request, _) async throws(EnergyError) in
            try await publisher.history(request)
        }
        methods.on(Methods.putSignals) { (push, _) async throws(EnergyError) in try await publisher.put(push) }
        methods.on(Methods.listSources) { (_, _) async throws(EnergyError) in try await publisher.listSources() }
        methods.on(Methods.testSource) { (reference, _) async throws(EnergyError) in
            try await publisher.test(reference)
        }
    }
}
