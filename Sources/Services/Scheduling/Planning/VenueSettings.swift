internal import EnergyModel
public import EnergyPlanning

/// What holds for everything that is planned at one venue.
public struct VenueSettings: Hashable, Sendable {
    /// Circuits name devices by their ids.
    public var limits: PlanLimits
    /// kW of everything that is not planned, on the three phases.
    public var baseLoad: [Double]
    /// What is made small. A part of it that guidance does not tell is left out; guidance's rating if nothing is left.
    public var objective: PlanObjective
    /// Currency per exported kWh.
    public var exportPrice = 0.0
    /// In place of ``baseLoad`` where it says one, and of photovoltaics.
    var forecast: VenueForecast?
    /// What energy costs where guidance does not reach; `nil` if that is not known.
    var contract: RatePlan?

    public init(
        limits: PlanLimits = PlanLimits(), baseLoad: [Double] = [0, 0, 0], objective: PlanObjective = .rating
    ) {
        self.limits = limits
        self.baseLoad = baseLoad
        self.objective = objective
    }
}
