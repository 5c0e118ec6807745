internal import EnergyModel
internal import EnergyPlanning

extension HomeLoad {
    /// What a file says, in whole units.
    ///
    /// - Throws: ``CommandFailure`` for what a plan knows and the service does not.
    init(_ file: VenueFile.Load) throws(CommandFailure) {
        switch file {
        case .battery(let battery, let capacity, let reserve, let initial):
            self = .battery(
                BatteryTraits(
                    capacity: Energy(milliwattHours: Int64((capacity * 1_000_000).rounded())),
                    chargeMax: Power(kilowatts: battery.chargeMax),
                    dischargeMax: Power(kilowatts: battery.dischargeMax),
                    chargeEfficiency: battery.chargeEfficiency, dischargeEfficiency: battery.dischargeEfficiency,
                    reservePercent: Int(reserve.rounded()),
                    wear: Price(microsPerKilowattHour: Int64((min(battery.wear, 1_000_000) * 1_000_000).rounded())),
                    phases: battery.phases,
                    stateOfCharge: initial))
        case .planned(let load):
            switch load.need {
            case .profile(let profile):
                self = .appliance(
                    ApplianceTraits(
                        steps: profile.steps.map {
                            .init(milliseconds: $0.milliseconds, power: Power(kilowatts: $0.power))
                        }, phases: load.phases))
            case .comfort(let need):
                guard let least = need.comfortMin.first, let most = need.comfortMax.first,
                    let outdoor = need.outdoor.first
                else { throw CommandFailure(.refused, "The comfort band and outdoor_c need a number each.") }
                var climate = ClimateTraits(
                    resistance: need.resistance, capacity: need.capacity, performance: need.performance,
                    comfortMin: least, comfortMax: most, powerMax: Power(kilowatts: need.powerMax),
                    indoor: need.initial, outdoor: outdoor)
                climate.isCooling = need.isCooling
                climate.setback = need.setbackDepth
                climate.setbackMinMilliseconds = need.setbackMin
                climate.powerMin = Power(kilowatts: need.powerMin)
                (climate.runMinMilliseconds, climate.pauseMinMilliseconds) = (load.shape.runMin, load.shape.pauseMin)
                climate.phases = load.phases
                self = .climate(climate)
            case .energy:
                throw CommandFailure(.refused, "A load that needs energy is a vehicle: say --battery and --power.")
            }
        }
    }

    var kind: Device.Kind {
        switch self {
        case .battery: .homeBattery
        case .appliance: .appliance
        case .climate: .hvac
        }
    }
}
