internal import EnergyModel
internal import Foundation

/// What somebody typed of a device. Kept as text, so that nothing is lost when some of it is wrong.
struct DeviceInput: Hashable, Sendable {
    /// Those that a few numbers describe; a course or a building is told on the command line.
    static let kinds: [Device.Kind] = [.electricVehicle, .homeBattery, .hvac]

    var kind = Device.Kind.electricVehicle
    /// No kind was sent, or one that there is not.
    private var isKindUnknown = false
    var name = ""
    /// kWh.
    var capacity = ""
    /// kW.
    var power = ""
    /// kW; empty is none.
    var powerMin = ""
    var discharge = ""
    /// Percent.
    var least = ""
    /// Per kWh; empty is none.
    var priceMax = ""
    var priority = ""

    init() { (least, priority) = ("0", "0") }

    init(_ device: ManagedDevice) {
        kind = device.device.kind
        name = device.device.name
        priority = "\(device.rules.priority)"
        least = "\(device.rules.stateOfChargeMin)"
        priceMax = device.rules.priceMax.map { FormText.text(Double($0.microsPerKilowattHour) / 1_000_000) } ?? ""
        if let vehicle = device.vehicle {
            capacity = FormText.text(vehicle.batteryCapacity.kilowattHours)
            power = Self.kilowatts(vehicle.powerMax)
            powerMin = vehicle.powerMin == vehicle.powerMax ? "" : Self.kilowatts(vehicle.powerMin)
        }
        if case .battery(let battery) = device.load {
            capacity = FormText.text(battery.capacity.kilowattHours)
            power = Self.kilowatts(battery.chargeMax)
            discharge = Self.kilowatts(battery.dischargeMax)
            least = "\(battery.reservePercent)"
        }
    }

    init(_ request: PageRequest) {
        if let kind = Device.Kind(rawValue: request.field("kind")) { self.kind = kind } else { isKindUnknown = true }
        name = FormText.line(request, "name")
        capacity = FormText.line(request, "capacity")
        power = FormText.line(request, "power")
        powerMin = FormText.line(request, "power-min")
        discharge = FormText.line(request, "discharge")
        least = FormText.line(request, "least")
        priceMax = FormText.line(request, "price-max")
        priority = FormText.line(request, "priority")
    }

    private static func kilowatts(_ power: Power) -> String { FormText.text(Double(power.milliwatts) / 1_000_000) }

    // MARK: Reading

    /// What was read of the input.
    struct Outcome {
        /// `nil` while something is wrong.
        var device: ManagedDevice?
        var problems: FormProblems = [:]
    }

    /// - Parameters:
    ///   - known: that is to be changed; what the form does not ask stays. `nil` makes one.
    ///   - taken: ids that are used already.
    func read(replacing known: ManagedDevice?, in venueID: UUID, taken: [String], _ language: Language) -> Outcome {
        var outcome = Outcome()
        let kind = known?.device.kind ?? kind
        if name.isEmpty { outcome.problems["name"] = language(.mustBeThere) }
        if known == nil, isKindUnknown || !Self.kinds.contains(kind) {
            outcome.problems["kind"] = language(.mustBeChosen)
        }
        var vehicle: VehicleTraits?
        var load = known?.load
        switch kind {
        case .electricVehicle: vehicle = self.vehicle(known?.vehicle, language, &outcome.problems)
        case .homeBattery: load = battery(load, language, &outcome.problems)
        case .hvac, .appliance: break
        }
        let rules = rules(known?.rules ?? ChargingRules(), of: kind, language, &outcome.problems)
        guard outcome.problems.isEmpty else { return outcome }
        let id = known?.device.id ?? FormText.id(for: name, taken: taken, unless: "device")
        outcome.device = ManagedDevice(
            device: Device(id: id, name: name, kind: kind), venueID: venueID, vehicle: vehicle, rules: rules, load: load
        )
        return outcome
    }

    private func number(
        _ text: String, _ field: String, _ label: Word, _ range: ClosedRange<Double>, _ language: Language,
        _ problems: inout FormProblems
    ) -> Double {
        if let number = FormText.number(text, in: range) { return number }
        problems[field] = language(
            .mustBeNumber, language(label), language.decimal(range.lowerBound), language.decimal(range.upperBound))
        return 0
    }

    private func power(
        _ text: String, _ field: String, _ label: Word, _ language: Language, _ problems: inout FormProblems
    ) -> Power {
        let kilowatts = number(text, field, label, 0.1...1_000, language, &problems)
        return (try? Power(milliwatts: Int64((kilowatts * 1_000_000).rounded()))) ?? .zero
    }

    private func energy(_ language: Language, _ problems: inout FormProblems) -> Energy {
        let hours = number(capacity, "capacity", .deviceCapacity, 0.1...10_000, language, &problems)
        return Energy(milliwattHours: Int64((hours * 1_000_000).rounded()))
    }

    private func vehicle(
        _ known: VehicleTraits?, _ language: Language, _ problems: inout FormProblems
    ) -> VehicleTraits {
        let most = power(power, "power", .devicePower, language, &problems)
        let least = powerMin.isEmpty ? nil : power(powerMin, "power-min", .devicePowerMin, language, &problems)
        if let least, least > most, problems.isEmpty { problems["power-min"] = language(.mustBeLess) }
        return VehicleTraits(
            batteryCapacity: energy(language, &problems), powerMax: most, efficiency: known?.efficiency ?? 0.9,
            powerMin: least, phases: known?.phases ?? [1, 2, 3], powerStep: known?.powerStep,
            currentStep: known?.currentStep, taper: known?.taper)
    }

    private func battery(_ known: HomeLoad?, _ language: Language, _ problems: inout FormProblems) -> HomeLoad {
        var before = BatteryTraits(capacity: .zero, chargeMax: .zero, dischargeMax: .zero)
        if case .battery(let battery) = known { before = battery }
        return .battery(
            BatteryTraits(
                capacity: energy(language, &problems),
                chargeMax: power(power, "power", .devicePower, language, &problems),
                dischargeMax: power(discharge, "discharge", .deviceDischarge, language, &problems),
                chargeEfficiency: before.chargeEfficiency, dischargeEfficiency: before.dischargeEfficiency,
                reservePercent: Int(number(least, "least", .deviceLeast, 0...100, language, &problems).rounded()),
                wear: before.wear, phases: before.phases))
    }

    private func rules(
        _ known: ChargingRules, of kind: Device.Kind, _ language: Language, _ problems: inout FormProblems
    ) -> ChargingRules {
        let rank = number(priority, "priority", .devicePriority, -100...100, language, &problems)
        guard kind == .electricVehicle else {
            return ChargingRules(
                stateOfChargeMin: known.stateOfChargeMin, priceMax: known.priceMax, carbonMax: known.carbonMax,
                absences: known.absences, priority: Int(rank.rounded()), shape: known.shape)
        }
        let percent = number(least, "least", .deviceLeast, 0...100, language, &problems)
        let ceiling = FormText.number(priceMax, in: -10_000...10_000)
        if !priceMax.isEmpty, ceiling == nil { problems["price-max"] = language(.mustBePrice) }
        return ChargingRules(
            stateOfChargeMin: Int(percent.rounded()),
            priceMax: ceiling.map { Price(microsPerKilowattHour: Int64(($0 * 1_000_000).rounded())) },
            carbonMax: known.carbonMax, absences: known.absences, priority: Int(rank.rounded()), shape: known.shape)
    }

    /// Which field is meant by the contract's.
    static let names = [
        "device.name": "name", "device.vehicle.battery_capacity_mwh": "capacity",
        "device.vehicle.power_max_mw": "power",
        "device.vehicle.power_min_mw": "power-min", "device.battery.capacity_mwh": "capacity",
        "device.battery.charge_max_mw": "power", "device.battery.discharge_max_mw": "discharge",
        "rules.priority": "priority", "rules.state_of_charge_min": "least",
    ]
}
