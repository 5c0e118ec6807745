extension ProblemRules {
    private static let power = FieldRule.Kind.number(0...1e6)
    private static let energy = FieldRule.Kind.number(0...1e6)
    private static let percent = FieldRule.Kind.number(0...100)
    private static let minutes = FieldRule.Kind.number(0...1e6)
    private static let efficiency = FieldRule.Kind.number(0.01...1)

    static let load = ObjectRule(
        name: "load", text: "A car, a boiler, an appliance with a fixed course, heating or cooling, a home battery.",
        fields: common + powers + needs + shape + battery)

    private static let common = [
        FieldRule("name", .text, otherwise: "load-1, load-2, ...", "Unique, not empty."),
        FieldRule(
            "type", .choice(["ev", "load", "appliance", "hvac", "battery"]),
            otherwise: "appliance with profile_kw, hvac with thermal, battery with max_charge_kw, else ev or load",
            "What it is. ev and load: energy_kwh, target_soc or goals."),
        FieldRule("earliest_start", .time, otherwise: "the first slot's start", "It does not run before."),
        FieldRule(
            "deadline", .time, otherwise: "the last goal's by, or the last slot's end",
            "It is ready by then and does not run after. Of a home battery: only when it has its target_soc."),
        FieldRule(
            "phases", .either([.integer(1...3), .list(.integer(1...3), atLeast: 1, atMost: 3)]), default: "3",
            "How many phases, from the first, or which: power is spread evenly."),
        FieldRule("voltage_v", .number(1...1e5), unit: "V", default: "230", "Of a phase, for currents."),
        FieldRule(
            "priority", .integer(-1000...1000), default: "0",
            "When not all can have what they need, higher comes first; within one priority the sum of what is missing "
                + "is smallest, of several goals of one load the sum of what each misses when it is due. Of a battery what "
                + "is missing is what it should store, in kWh, and while it is below "
                + "min_soc kWh x hours."),
        FieldRule(
            "max_price", .number(-1e6...1e6), unit: "currency/kWh",
            "Dearer slots are not used; each has to say its price."),
        FieldRule(
            "max_carbon", .number(0...1e6), unit: "g CO2/kWh",
            "Slots with more are not used; each has to say its carbon."),
    ]

    private static let powers = [
        FieldRule("power_kw", power, unit: "kW", "The one power it runs at: min_power_kw = max_power_kw."),
        FieldRule("max_power_kw", power, unit: "kW", otherwise: "from max_current_a", "Most while it runs."),
        FieldRule(
            "min_power_kw", power, unit: "kW",
            otherwise: "from min_current_a, or 0; with a rule for its runs the smallest step, or a fifth of the most",
            "Least while it runs; 0 below that. With a rule for its runs (min_run_minutes, min_pause_minutes, max_runs, "
                + "one_block, start_cost) power flows as long as it is on: there 0 is as if it was left out."),
        FieldRule("max_current_a", .number(0...1e5), unit: "A", "On each of its phases."),
        FieldRule("min_current_a", .number(0...1e5), unit: "A", "On each of its phases."),
        FieldRule(
            "current_step_a", .number(0.001...1e5), unit: "A",
            "Powers are multiples of step x phases x voltage, counted from 0: the highest is the highest multiple that is not "
                + "above the most, and the least power is rounded up to one."),
        FieldRule("power_step_kw", .number(1e-6...1e6), unit: "kW", "The same as a power; only one of the two."),
    ]

    private static let needs = [
        FieldRule("energy_kwh", energy, unit: "kWh", "What it needs, at its connection to the home."),
        FieldRule(
            "max_energy_kwh", energy, unit: "kWh", otherwise: "what it needs (partial_slots never: see there)",
            "It may take up to so much, which happens where taking more pays."),
        FieldRule("capacity_kwh", .number(1e-6...1e6), unit: "kWh", "Of its battery; needed with any soc."),
        FieldRule(
            "initial_soc", percent, unit: "percent",
            "At the start of the plan. A home battery without it counts as empty, and the plan's notes say so."),
        FieldRule(
            "target_soc", percent, unit: "percent",
            "At the deadline. Needs (target_soc - initial_soc) / 100 x capacity_kwh / efficiency. Of a home battery: what "
                + "it holds at least at that moment; before and after it is free."),
        FieldRule("efficiency", efficiency, default: "1", "Energy in the battery per energy at the connection."),
        FieldRule(
            "goals", .list(.object(goal), atLeast: 1),
            "Several targets, instead of energy_kwh or target_soc; with soc only for a home battery. Of what is charged "
                + "nothing is given back: a later one that asks for less than an earlier one asks for as much as that."),
        FieldRule(
            "taper", .object(taper),
            "Slower near full. A slot takes less than min_power_kw, or than a step, only where the battery takes no "
                + "more."),
        FieldRule(
            "partial_slots", .choice(["never", "last", "any"]),
            otherwise:
                "any without shape rules if it has one power or may go down to 0; else last",
            "Whether a slot may be used in part, by running for a part of it. never: when on, the mean power of a slot is "
                + "between least and most; it takes what it needs in whole slots. Without max_energy_kwh that may be more: up to the "
                + "least that whole slots give at or above what it needs, or, if slots differ in length, up to one of the longest "
                + "at the least power more, where that costs less. last: only the last slot in time that it is on may have less (for one block see start_anywhere). "
                + "any: every slot that it is on may have less, also nothing; with a rule for its runs only a run's first "
                + "and last. One block at one power is continuous unless this is never or any."),
        FieldRule(
            "precondition_minutes", minutes, unit: "min", default: "0",
            "It runs at full power for so long before its deadline (or for as long as it needs), whatever that costs."),
        FieldRule(
            "profile_kw", .list(power, atLeast: 1, atMost: 10_000), unit: "kW",
            "Appliance: its course, one power after the other. It runs once."),
        FieldRule("profile_step_minutes", .number(0.001...1e5), unit: "min", default: "15", "Length of each power."),
        FieldRule("thermal", .object(thermal), "Heating or cooling: the building and what is comfortable."),
    ]

    private static let shape = [
        FieldRule(
            "min_run_minutes", minutes, unit: "min", default: "0",
            "Each run lasts at least so long, counted in whole slots that it is on, of which a window that begins or ends "
                + "inside a slot cuts off a shorter one (with one power and partial_slots any: in "
                + "time; with several a first slot that is used in part does not count). In each of them a load of several "
                + "powers draws its least power or more on average, one with steps a step all through. A load that at its "
                + "least power needs less than one such run runs once, for as many whole slots as it would take at that power."
        ),
        FieldRule("min_pause_minutes", minutes, unit: "min", default: "0", "Between two runs."),
        FieldRule("max_runs", .integer(1...100_000), "At most so many runs."),
        FieldRule("one_block", .flag, default: "false", "The same as max_runs 1."),
        FieldRule(
            "start_anywhere", .flag,
            otherwise: "true for one power with partial_slots last, and for appliances; else false",
            "A block or course may begin at any time. So may a load that is allowed more than one run, or more energy, or "
                + "that is on, where it takes just what it needs in one block: to allow more never costs more. Tried are all "
                + "times at which one of its edges meets the edge of a slot, the latest for each goal, and all between them where "
                + "photovoltaics, a battery or a demand charge count the mean of slots (of a course of up to 1,000 such times). false: only at the start of a slot."
        ),
        FieldRule("start_cost", .number(0...1e6), default: "0", "Added to the objective for each start."),
        FieldRule(
            "is_on", .flag, default: "false",
            "It runs when the plan begins: going on is no start, max_runs counts further runs, and what min_run_minutes "
                + "still demands is for goals to say. Where its window begins later, this says nothing: it starts anew, and no "
                + "pause is owed."),
        FieldRule(
            "prefer", .choice(["early", "late"]), default: "\"early\"",
            "Which of equally good times. Early leaves time when something goes wrong; late is better for a battery."),
    ]

    private static let battery = [
        FieldRule("max_charge_kw", power, unit: "kW", "Home battery: most that it takes."),
        FieldRule("max_discharge_kw", power, unit: "kW", otherwise: "max_charge_kw", "Most that it gives."),
        FieldRule("charge_efficiency", efficiency, default: "1", "Stored per taken."),
        FieldRule("discharge_efficiency", efficiency, default: "1", "Given per taken out of store."),
        FieldRule(
            "min_soc", percent, unit: "percent", default: "0",
            "Least. From less than that it is charged as soon as can be, whatever that costs, and never drained below "
                + "where it began."),
        FieldRule(
            "max_soc", percent, unit: "percent", default: "100",
            "Up to which it is charged. One that begins above is not emptied for that; it is not charged until it is below."
        ),
        FieldRule(
            "final_soc", percent, unit: "percent",
            otherwise: "initial_soc, at most max_soc; min_soc with end_value_per_kwh",
            "Least at the end, not below min_soc. What of it, of target_soc or of goals cannot be had is told as missing."
        ),
        FieldRule(
            "wear_cost_per_kwh", .number(0...1e6), unit: "currency/kWh", default: "0",
            "For each kWh charged and for each kWh discharged, at the home's side."),
        FieldRule(
            "end_value_per_kwh", .number(0...1e6), unit: "currency/kWh", default: "0", "Of what is stored at the end."),
    ]
}
