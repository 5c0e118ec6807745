internal import EnergyModel
internal import Foundation

/// A simulated car's build and household.
struct VehicleSetup {
    let seed: UInt64
    let venueID: UUID
    let timeZone: TimeZone
    let device = Device(id: "simulated-car", name: "Simulated car", kind: .electricVehicle)
    let capacity = Energy(milliwattHours: 64_000_000)
    let power: Power
    /// Of the energy from the grid, what reaches the battery.
    let efficiencyPercent = 90
    let targetPercent = 80

    init(seed: UInt64, venueID: UUID, timeZone: TimeZone) throws(EnergyError) {
        self.seed = seed
        self.venueID = venueID
        self.timeZone = timeZone
        power = try Power(milliwatts: 7_400_000)
    }

    var habit: VehicleHabit { VehicleHabit(seed: seed, timeZone: timeZone) }

    var managed: ManagedDevice {
        ManagedDevice(
            device: device, venueID: venueID,
            vehicle: VehicleTraits(
                batteryCapacity: capacity, powerMax: power, efficiency: Double(efficiencyPercent) / 100))
    }

    /// 6 km per kWh.
    func range(of battery: Int64) -> Int64 { battery * 6 }
}
