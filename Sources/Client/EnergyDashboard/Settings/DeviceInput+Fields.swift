internal import EnergyModel

extension DeviceInput {
    /// - Parameter isNew: its kind may be chosen, so that every kind's fields are there.
    @HTMLBuilder func fields(_ language: Language, isNew: Bool, _ problems: FormProblems) -> HTML {
        if isNew {
            Form.select(
                "kind", language(.kind), Self.kinds.map { ($0.rawValue, language($0.word)) }, chosen: kind.rawValue,
                hint: language(.deviceKindHint), error: problems["kind"])
        } else {
            Form.hidden("kind", kind.rawValue)
        }
        Form.input("name", language(.deviceName), value: name, error: problems["name"])
        if isNew || kind == .electricVehicle || kind == .homeBattery { battery(language, isNew: isNew, problems) }
        Form.number(
            "priority", language(.devicePriority), value: priority, hint: language(.devicePriorityHint),
            error: problems["priority"])
    }

    @HTMLBuilder private func battery(_ language: Language, isNew: Bool, _ problems: FormProblems) -> HTML {
        Form.number(
            "capacity", language(.deviceCapacity), value: capacity, hint: isNew ? language(.deviceWithBattery) : nil,
            error: problems["capacity"])
        Form.number("power", language(.devicePower), value: power, error: problems["power"])
        Form.number(
            "least", language(.deviceLeast), value: least, hint: language(.deviceLeastHint), error: problems["least"])
        if isNew || kind == .electricVehicle {
            Form.number(
                "power-min", language(.devicePowerMin), value: powerMin, hint: language(.devicePowerMinHint),
                error: problems["power-min"])
            Form.number(
                "price-max", language(.devicePriceMax), value: priceMax, hint: language(.devicePriceMaxHint),
                error: problems["price-max"])
        }
        if isNew || kind == .homeBattery {
            Form.number(
                "discharge", language(.deviceDischarge), value: discharge, hint: language(.deviceDischargeHint),
                error: problems["discharge"])
        }
    }
}
