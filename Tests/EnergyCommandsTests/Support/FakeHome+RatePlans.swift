import EnergyModel
import EnergyTransport
import EnergyWire

@testable import EnergyCommands

extension FakeHome {
    static func addRatePlans(_ store: Box, _ table: inout MethodTable) {
        table.on(Methods.listRatePlans) { (_, _) async throws(EnergyError) in
            guard !store({ $0.denied }).contains(Methods.listRatePlans.name) else {
                throw EnergyError(.denied, "charger has no permission for this")
            }
            return RatePlanList(ratePlans: store { $0.ratePlans })
        }
        table.on(Methods.putRatePlan) { (plan, _) async throws(EnergyError) in
            store { $0.ratePlans.append(plan) }
            return plan
        }
        table.on(Methods.removeRatePlan) { (removal, _) async throws(EnergyError) in
            let plan = store { state in
                defer { state.ratePlans.removeAll { $0.id == removal.id } }
                return state.ratePlans.first { $0.id == removal.id }
            }
            guard var plan else { throw EnergyError(.notFound, "there is no such rate plan") }
            plan.removed = Samples.now
            return plan
        }
    }
}
