package import EnergyModel
package import Foundation

extension VenueLimits {
    /// What plans keep to, in whole units.
    ///
    /// - Parameters:
    ///   - limits: prices up to 1,000,000 each.
    ///   - baseLoad: kW on each phase.
    ///   - exportPrice: currency per kWh, likewise.
    package init(
        _ limits: PlanLimits, of venueID: UUID, baseLoad: [Double], exportPrice: Double, isDefault: Bool = false,
        objective: VenueObjective? = nil
    ) {
        func power(_ kilowatts: Double) -> Power { Power(kilowatts: kilowatts) }
        func micros(_ price: Double) -> Int64 { Int64((price * 1_000_000).rounded()) }
        self.init(
            venueID: venueID, importPower: limits.importPower.map(power), exportPower: limits.exportPower.map(power),
            circuits: limits.circuits.map { circuit in
                Circuit(
                    name: circuit.name, parent: circuit.parent, power: circuit.power.map(power),
                    powerPerPhase: circuit.powerPerPhase.map(power), deviceIDs: circuit.members ?? [],
                    carriesBaseLoad: circuit.carriesBaseLoad)
            }, exclusive: limits.exclusive,
            demandCharge: limits.demandCharge.map {
                DemandCharge(microsPerKilowatt: micros($0.price), peakSoFar: power($0.peakSoFar))
            }, baseLoad: baseLoad.map(power), exportPrice: Price(microsPerKilowattHour: micros(exportPrice)),
            isDefault: isDefault, objective: objective)
    }
}

extension PlanLimits {
    /// The way back: a circuit without devices has no members of its own.
    package init(_ limits: VenueLimits) {
        self.init(
            importPower: limits.importPower?.kilowatts, exportPower: limits.exportPower?.kilowatts,
            circuits: limits.circuits.map { circuit in
                var read = Circuit(
                    name: circuit.name, parent: circuit.parent, power: circuit.power?.kilowatts,
                    powerPerPhase: circuit.powerPerPhase?.kilowatts,
                    members: circuit.deviceIDs.isEmpty ? nil : circuit.deviceIDs,
                    carriesBaseLoad: circuit.carriesBaseLoad)
                // In tenths of an ampere at 230 V: that is how fuses are named.
                let isCurrent = circuit.powerPerPhase.map { $0.milliwatts > 0 && $0.milliwatts % 23_000 == 0 }
                read.ampere = isCurrent == true ? 0.23 : nil
                return read
            }, exclusive: limits.exclusive,
            demandCharge: limits.demandCharge.map {
                DemandCharge(
                    price: Double($0.microsPerKilowatt) / 1_000_000, peakSoFar: $0.peakSoFar.kilowatts)
            })
    }
}
