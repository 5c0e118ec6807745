internal import EnergyModel
internal import Foundation

/// The contracts, in the settings: who has them, and what the one of this home charges.
struct RatePlanSection {
    let context: PageContext
    let plans: [RatePlan]?
    let mayChange: Bool

    private var language: Language { context.language }

    func html() -> HTML {
        SettingCard.list(
            plans?.map(card), none: .ratePlanNoneYet,
            add: mayChange ? (.planAdd, context.address("/settings/rate-plan")) : nil,
            language)
    }

    /// Of what is in force more is known: what came of it.
    private func prices(of plan: RatePlan, _ isInForce: Bool) -> String {
        isInForce
            ? context.address("/grid") + "#rates-title"
            : context.address("/settings/rate-plan/prices", [("plan", plan.id)])
    }

    private func card(_ plan: RatePlan) -> SettingCard {
        let homes = context.venues.filter { $0.ratePlanID == plan.id }.map(\.name)
        let isInForce = context.venue.ratePlanID == plan.id
        return SettingCard(
            title: plan.name,
            facts: [
                "\(plan.id) · \(plan.currency) · \(plan.timeZone.identifier)",
                homes.isEmpty ? language(.planUnused) : language(.planUsedBy, homes.joined(separator: ", ")),
            ], badge: isInForce ? language(.planInForce) : nil,
            links: [(.planPrices, prices(of: plan, isInForce))]
                + (mayChange ? [(.planReplace, context.address("/settings/rate-plan", [("edit", plan.id)]))] : []))
    }
}
