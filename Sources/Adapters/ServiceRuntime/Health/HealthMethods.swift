internal import EnergyTransport

extension MethodTable {
    mutating func addHealth(_ health: HealthRegistry) {}
    mutating func addReflection() {}
}
