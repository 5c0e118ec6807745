internal import EnergyModel

/// The devices of a home, in the settings.
struct DeviceSection {
    let context: PageContext
    let devices: [ManagedDevice]?
    let mayChange: Bool

    private var language: Language { context.language }
    private var formats: Formats { context.formats }

    func html() -> HTML {
        SettingCard.list(
            devices?.map(card), none: .noDevices,
            add: mayChange ? (.deviceAdd, context.address("/settings/device")) : nil,
            language)
    }

    private func card(_ device: ManagedDevice) -> SettingCard {
        SettingCard(
            title: device.device.name, facts: [device.device.id] + traits(device),
            badge: language(device.device.kind.word),
            links: mayChange
                ? [(.change, context.address("/settings/device", [("edit", device.device.id)]))] : [])
    }

    private func traits(_ device: ManagedDevice) -> [String] {
        if let vehicle = device.vehicle {
            return ["\(formats.energy(vehicle.batteryCapacity)) · \(formats.power(vehicle.powerMax))"]
        }
        guard case .battery(let battery) = device.load else { return [] }
        return ["\(formats.energy(battery.capacity)) · \(formats.power(battery.chargeMax))"]
    }
}
