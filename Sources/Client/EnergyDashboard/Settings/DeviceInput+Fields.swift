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
        of([.electricVehicle, .homeBattery], isNew: isNew) { battery(language, problems) }
        of([.electricVehicle], isNew: isNew) { vehicle(language, problems) }
        of([.homeBattery], isNew: isNew) {
            Form.number(
                "discharge", language(.deviceDischarge), value: discharge, error: problems["discharge"])
        }
        Form.number(
            "priority", language(.devicePriority), value: priority, hint: language(.devicePriorityHint),
            error: problems["priority"])
    }

    /// Fields of some kinds: of one whose kind is known there are no others.
    @HTMLBuilder private func of(
        _ kinds: [Device.Kind], isNew: Bool, @HTMLBuilder _ content: () -> HTML
    ) -> HTML {
        if isNew {
            Form.part(of: kinds.map(\.rawValue), content)
        } else if kinds.contains(kind) {
            content()
        }
    }

    @HTMLBuilder private func battery(_ language: Language, _ problems: FormProblems) -> HTML {
        Form.number("capacity", language(.deviceCapacity), value: capacity, error: problems["capacity"])
        Form.number("power", language(.devicePower), value: power, error: problems["power"])
        Form.number(
            "least", language(.deviceLeast), value: least, hint: language(.deviceLeastHint), error: problems["least"])
    }

    @HTMLBuilder private func vehicle(_ language: Language, _ problems: FormProblems) -> HTML {
        Form.number(
            "power-min", language(.devicePowerMin), value: powerMin, hint: language(.devicePowerMinHint),
            error: problems["power-min"])
        Form.number(
            "price-max", language(.devicePriceMax), value: priceMax, hint: language(.devicePriceMaxHint),
            error: problems["price-max"])
    }
}
