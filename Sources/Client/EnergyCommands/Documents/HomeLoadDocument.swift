internal import EnergyModel

/// A home battery, an appliance or a building. Members that are not of its kind are absent.
struct HomeLoadDocument: Codable {
    struct Step: Codable {
        let durationMs: Int64
        let powerMw: Int64
    }
    struct Climate: Codable {
        let isCooling: Bool
        let resistanceKPerKw: Double
        let capacityKwhPerK: Double
        let performance: Double
        let comfortMinC: Double
        let comfortMaxC: Double
        let setbackK: Double
        let setbackMinMs: Int64
        let powerMaxMw: Int64
        let powerMinMw: Int64
        let runMinMs: Int64
        let pauseMinMs: Int64
        let indoorC: Double
        let outdoorC: Double
    }
    struct Battery: Codable {
        let capacityMwh: Int64
        let chargeMaxMw: Int64
        let dischargeMaxMw: Int64
        let chargeEfficiency: Double
        let dischargeEfficiency: Double
        let reservePercent: Int
        let wearMicrosPerKwh: Int64
        /// Percent; absent if nobody said it.
        let stateOfCharge: Double?
    }
    let battery: Battery?
    let steps: [Step]?
    let climate: Climate?
    let phases: [Int]

    init(_ load: HomeLoad) {
        switch load {
        case .battery(let traits):
            battery = Battery(
                capacityMwh: traits.capacity.milliwattHours, chargeMaxMw: traits.chargeMax.milliwatts,
                dischargeMaxMw: traits.dischargeMax.milliwatts, chargeEfficiency: traits.chargeEfficiency,
                dischargeEfficiency: traits.dischargeEfficiency, reservePercent: traits.reservePercent,
                wearMicrosPerKwh: traits.wear.microsPerKilowattHour, stateOfCharge: traits.stateOfCharge)
            (steps, climate, phases) = (nil, nil, traits.phases)
        case .appliance(let traits):
            steps = traits.steps.map { Step(durationMs: $0.milliseconds, powerMw: $0.power.milliwatts) }
            (battery, climate, phases) = (nil, nil, traits.phases)
        case .climate(let traits):
            climate = Climate(
                isCooling: traits.isCooling, resistanceKPerKw: traits.resistance, capacityKwhPerK: traits.capacity,
                performance: traits.performance, comfortMinC: traits.comfortMin, comfortMaxC: traits.comfortMax,
                setbackK: traits.setback, setbackMinMs: traits.setbackMinMilliseconds,
                powerMaxMw: traits.powerMax.milliwatts,
                powerMinMw: traits.powerMin.milliwatts, runMinMs: traits.runMinMilliseconds,
                pauseMinMs: traits.pauseMinMilliseconds, indoorC: traits.indoor, outdoorC: traits.outdoor)
            (battery, steps, phases) = (nil, nil, traits.phases)
        }
    }
}
