/// The format of a problem.
enum ProblemRules {
    private static let anyPrice = FieldRule.Kind.number(-1e6...1e6)
    private static let power = FieldRule.Kind.number(0...1e6)
    private static let energy = FieldRule.Kind.number(0...1e6)
    private static let percent = FieldRule.Kind.number(0...100)
    private static let minutes = FieldRule.Kind.number(0...1e6)
    private static let efficiency = FieldRule.Kind.number(0.01...1)
    private static let degrees = FieldRule.Kind.number(-273...1000)
    private static let threePhases = FieldRule.Kind.either([power, .list(power, atLeast: 3, atMost: 3)])

    static let problem = ObjectRule(
        name: "problem", text: "What gridtide plans: one home, its slots, limits and loads.",
        fields: [
            FieldRule("name", .text, "For people."),
            FieldRule("currency", .text, "For people: prices may be in any currency."),
            FieldRule(
                "slots", .list(.object(slot), atLeast: 1, atMost: ProblemReader.slotsMax), required: true,
                "Time, cut where the price changes: sorted, each beginning where the one before ends; of any and of "
                    + "different lengths. Loads switch at the edges of slots. A slot is cut further where a load's window, "
                    + "goal or preconditioning begins or ends inside it."),
            FieldRule(
                "loads", .list(.object(load), atLeast: 0, atMost: ProblemReader.loadsMax), required: true,
                "What can be moved, and batteries."),
            FieldRule(
                "base_load_kw", .either([power, .list(power, atLeast: 1)]), unit: "kW", default: "0",
                "What runs anyway: one number, or one for each slot. A slot's own base_load_kw comes first."),
            FieldRule(
                "pv_kw", .either([power, .list(power, atLeast: 1)]), unit: "kW", default: "0",
                "Photovoltaics, forecast: one number, or one for each slot. A slot's own pv_kw comes first."),
            FieldRule(
                "pv_curtailable", .flag,
                otherwise: "true where export_kw, a fuse or a circuit with base_load is stated",
                "Whether photovoltaic power may be thrown away, also what the home would use: that pays where imports are "
                    + "paid for."),
            FieldRule("limits", .object(limits), "What the connection and its circuits carry."),
            FieldRule(
                "objective", .either([.choice(["money", "carbon", "rating"]), .object(objective)]),
                default: "\"money\"",
                "What is made small: money = sum of import x price - export x export_price; carbon = kg CO2 of imports; "
                    + "rating = sum of imported kWh x rating; or a weighted sum of the three. Start costs, wear and the "
                    + "demand charge are added; wear, end values and the demand charge only with the weight of money. "
                    + "Needs of loads come first, whatever they cost."),
            FieldRule(
                "time_limit_seconds", .number(PlanProblem.timeLimitRange), unit: "s", default: "10",
                "For problems whose loads are in each other's way; what is planned one by one is always finished. When it is "
                    + "up, the answer is the best plan found, with the proven bound: that may be another one next time."
            ),
        ])

    static let objective = ObjectRule(
        name: "objective", text: "Weights of a mix; one is more than 0.",
        fields: [
            FieldRule("money", .number(0...1e6), default: "0", "Weight of a unit of currency."),
            FieldRule("carbon", .number(0...1e6), default: "0", "Weight of a kg CO2, as a carbon price per kg."),
            FieldRule("rating", .number(0...1e6), default: "0", "Weight of a kWh at rating 1."),
        ])

    static let slot = ObjectRule(
        name: "slot", text: "A part of time with one price.",
        fields: [
            FieldRule("start", .time, required: true, "When it begins, included: ISO 8601 with its offset."),
            FieldRule("end", .time, required: true, "When it ends, not included."),
            FieldRule("price", anyPrice, unit: "currency/kWh", "Of imports; may be negative; null if not known yet."),
            FieldRule(
                "forecast_price", anyPrice, unit: "currency/kWh",
                "Used where price is not known. A slot with neither is refused if money counts: it is never free."),
            FieldRule("export_price", anyPrice, unit: "currency/kWh", default: "0", "Of exports."),
            FieldRule("carbon", .number(0...1e6), unit: "g CO2/kWh", "Of imports; null if not known yet."),
            FieldRule("forecast_carbon", .number(0...1e6), unit: "g CO2/kWh", "Used where carbon is not known."),
            FieldRule("rating", .number(0...1), "Guidance: 0 best, 1 worst."),
            FieldRule(
                "base_load_kw", threePhases, unit: "kW",
                "What runs anyway, in all (spread evenly over three phases) or as [phase 1, phase 2, phase 3]."),
            FieldRule("pv_kw", power, unit: "kW", "Photovoltaics."),
        ])

    static let limits = ObjectRule(
        name: "limits",
        text: "While a load runs it counts with the power it runs at, also in a slot it uses in part: two share a slot "
            + "beside each other, never one after the other, for which slots have to be shorter. Where what runs "
            + "anyway breaks a limit, loads have no room on it. A fuse and a circuit limit what flows in either direction: "
            + "toward the grid the mean of a slot counts, and what PV gives too much for them is thrown away, or, where it "
            + "may not be, nothing may add to it.",
        fields: [
            FieldRule("import_kw", power, unit: "kW", "Most that the home may draw: base load + loads - PV."),
            FieldRule(
                "export_kw", power, unit: "kW", "Most that the home may give. PV above it is thrown away."),
            FieldRule("fuse", .object(fuse), "The main fuse, per phase."),
            FieldRule("circuits", .list(.object(circuit), atLeast: 0), "Circuits behind the main fuse; a tree."),
            FieldRule(
                "exclusive", .list(.list(.text, atLeast: 1), atLeast: 0),
                "Groups of load names of which at most one is on in a slot."),
            FieldRule("demand_charge", .object(demandCharge), "A price on the highest mean import of any slot."),
        ])

    static let fuse = ObjectRule(
        name: "fuse", text: "A fuse of so many amperes on each phase.",
        fields: [
            FieldRule("current_a", .number(0...1e5), unit: "A", required: true, "What it carries on each phase."),
            FieldRule("phases", .integer(1...3), default: "3", "1: everything is on one phase."),
            FieldRule("voltage_v", .number(1...1e5), unit: "V", default: "230", "Of a phase."),
        ])

    static let circuit = ObjectRule(
        name: "circuit", text: "A circuit with a limit of its own; what runs on it counts for its parents too.",
        fields: [
            FieldRule(
                "name", .text, required: true,
                "The name, which no other has; \"main fuse\" is that of the fuse, stated or not."),
            FieldRule("parent", .text, "The circuit that feeds it."),
            FieldRule("loads", .list(.text, atLeast: 0), required: true, "Names of the loads and batteries on it."),
            FieldRule("power_kw", power, unit: "kW", "Most, over all phases; this, current_a or both."),
            FieldRule("current_a", .number(0...1e5), unit: "A", "Most, on each phase."),
            FieldRule("voltage_v", .number(1...1e5), unit: "V", default: "230", "Of a phase."),
            FieldRule("base_load", .flag, default: "false", "Whether base load and PV are on it."),
        ])

    static let demandCharge = ObjectRule(
        name: "demand_charge",
        text: """
            price_per_kw x what the highest mean import of a slot, as given and not as windows cut it, exceeds \
            peak_so_far_kw by. Plans heed it where the objective has money.
            """,
        fields: [
            FieldRule("price_per_kw", .number(0...1e6), unit: "currency/kW", required: true, "What a kW costs."),
            FieldRule("peak_so_far_kw", power, unit: "kW", default: "0", "What this billing period has reached."),
        ])

    static let goal = ObjectRule(
        name: "goal",
        text:
            "What must be reached by when. Goals add up: each counts from the start. A home battery's hold each at its "
            + "own time.",
        fields: [
            FieldRule("by", .time, required: true, "When."),
            FieldRule("energy_kwh", energy, unit: "kWh", "At the connection, from the start of the plan."),
            FieldRule("soc", percent, unit: "percent", "State of charge."),
        ])

    static let taper = ObjectRule(
        name: "taper",
        text: "Near full the power falls in a line: from the highest power at from_soc to power_at_full_kw at 100 %. "
            + "It falls inside the slots, too: how long they are makes no difference. A slot's power is its mean, and so it "
            + "counts for limits, alone as beside others: where that is too coarse slots have to be shorter. "
            + "A slot takes less than the least power, or than a step, only where the battery takes no more.",
        fields: [
            FieldRule("from_soc", percent, unit: "percent", required: true, "Where it begins."),
            FieldRule(
                "power_at_full_kw", power, unit: "kW", otherwise: "a tenth of the highest power",
                "At 100 %. With 0 it is never quite full."),
        ])

    private static let perSlot = FieldRule.Kind.either([degrees, .list(degrees, atLeast: 1)])

    static let thermal = ObjectRule(
        name: "thermal",
        text: "One thermal mass, in each slot of h hours: T' = T k + (1 - k) (outdoor +/- resistance x cop x power), "
            + "k = e^(-h / (resistance x capacity)); plus for heating, minus for cooling.",
        fields: [
            FieldRule("mode", .choice(["heat", "cool"]), default: "\"heat\"", "What power does."),
            FieldRule(
                "resistance_k_per_kw", .number(1e-6...1e6), unit: "K/kW", required: true, "From inside to outdoors."),
            FieldRule(
                "capacity_kwh_per_k", .number(1e-6...1e6), unit: "kWh/K", required: true, "Heat that its mass takes."),
            FieldRule("cop", .number(0.01...100), default: "1", "kW of heat or cold per kW of power."),
            FieldRule("initial_c", degrees, unit: "°C", required: true, "The temperature at the start."),
            FieldRule("outdoor_c", perSlot, unit: "°C", required: true, "One number, or one for each slot."),
            FieldRule("comfort_min_c", perSlot, unit: "°C", default: "-273", "At the end of each slot, at least."),
            FieldRule("comfort_max_c", perSlot, unit: "°C", default: "1000", "At the end of each slot, at most."),
            FieldRule(
                "final_c", degrees, unit: "°C",
                "At the end: at least when heating, at most when cooling; no setback lowers it. What cannot be had is missing."
            ),
            FieldRule(
                "setback_k", .number(0...100), unit: "K", default: "0",
                "How far the band may be left to save; with setback_minutes."),
            FieldRule("setback_minutes", minutes, unit: "min", default: "0", "For how long in all; with setback_k."),
            FieldRule(
                "setback_min_minutes", minutes, unit: "min", default: "0",
                "Each setback lasts at least so long, in whole slots. All of that counts against setback_minutes, whether "
                    + "the band is left in all of it or not."),
        ])
}
