internal import EnergyModel
internal import Foundation

/// The venues, the rate plans and the devices, a line each.
enum ListTables {
    static func lines(_ venues: [Venue], _ style: Style) -> [String] {
        let isWeighed = venues.contains { $0.priceWeight != nil }
        var table = Table(
            [
                .init("name", shrinks: true), .init("id", dropOrder: 0), .init("region", dropOrder: 2),
                .init("zone", dropOrder: 4),
                .init("plan", dropOrder: 3),
            ] + (isWeighed ? [.init("price counts", .right, dropOrder: 1)] : []))
        for venue in venues {
            table.add(
                [
                    .init(venue.name), .init(venue.id.text), .init(venue.region),
                    .init(venue.timeZone.identifier), .init(venue.ratePlanID ?? "-"),
                ] + (isWeighed ? [.init(venue.priceWeight.map(Quantities.percent) ?? "default")] : []))
        }
        return table.lines(style) + table.notes(style)
    }

    static func lines(_ plans: [RatePlan], _ style: Style) -> [String] {
        var table = Table([
            .init("id"), .init("name", shrinks: true), .init("zone", dropOrder: 1), .init("price per kWh", .right),
        ])
        for plan in plans {
            let prices = plan.zones.map(\.price)
            let span = Set([prices.min(), prices.max()].compactMap { $0 }).sorted().map(Quantities.price)
            table.add([
                .init(plan.id), .init(plan.name), .init(plan.timeZone.identifier),
                .init("\(span.joined(separator: " \(style.dash) ")) \(plan.currency)"),
            ])
        }
        return table.lines(style)
    }

    static func lines(_ devices: [ManagedDevice], _ style: Style) -> [String] {
        var table = Table([
            .init("id", wraps: true), .init("name", shrinks: true), .init("kind", dropOrder: 2), .init("kW", .right),
            .init("kWh", .right, dropOrder: 1),
        ])
        for device in devices {
            table.add([
                .init(device.device.id), .init(device.device.name),
                .init(words(device.device.kind)),
                .init(device.powerMax.map { Quantities.kilowatts(milliwatts: $0.milliwatts) } ?? ""),
                .init(device.batteryCapacity.map { Quantities.kilowattHours($0) } ?? ""),
            ])
        }
        return table.lines(style)
    }

    private static func words(_ kind: Device.Kind) -> String {
        switch kind {
        case .electricVehicle: "vehicle"
        case .hvac: "heating or cooling"
        case .homeBattery: "home battery"
        case .appliance: "appliance"
        }
    }
}

extension ManagedDevice {
    fileprivate var batteryCapacity: Energy? {
        if case .battery(let battery) = load { return battery.capacity }
        return vehicle?.batteryCapacity
    }

    fileprivate var powerMax: Power? {
        switch load {
        case .battery(let battery): battery.chargeMax
        case .appliance(let appliance): appliance.steps.map(\.power).max()
        case .climate(let climate): climate.powerMax
        case nil: vehicle?.powerMax
        }
    }
}
