/// The format of an answer: what ``PlanDocument`` prints.
enum AnswerRules {
    private static let any = FieldRule.Kind.number(-Double.infinity...Double.infinity)
    private static let amount = FieldRule.Kind.number(0...Double.infinity)
    private static let start = FieldRule("start", .time, required: true, "When it begins, included.")
    private static let end = FieldRule("end", .time, required: true, "When it ends, not included.")
    private static let who = FieldRule("who", list(.text), required: true, "The limits and loads that are in the way.")
    private static let reason = FieldRule.Kind.choice(PlanReason.allCases.map { PlanDocument.words($0.rawValue) })
    private static let cause = FieldRule(
        "cause", .choice(Shortfall.Cause.allCases.map { PlanDocument.words($0.rawValue) }), required: true,
        "What keeps it from what it needs.")

    /// Of any length: nobody has to be kept from asking for too much.
    private static func list(_ kind: FieldRule.Kind) -> FieldRule.Kind { .list(kind, atLeast: 0, atMost: .max) }

    static let answer = ObjectRule(
        name: "answer",
        text: "The best plan for a problem. Times have the offset of the problem's first slot. More members may come.",
        fields: [
            FieldRule(
                "status", .choice(["optimal", "feasible"]), required: true,
                "optimal: no plan is better, which is proven; feasible: the best that was found in time."),
            FieldRule(
                "method", .choice(HomePlan.Method.allCases.map(\.rawValue)), required: true,
                "separate: each load by itself, exactly; together: loads that share limits, exactly, without the solver; "
                    + "joint: by the solver; first: what was found at once, for want of time."),
            FieldRule("objective", any, required: true, "What was made small; the same as totals.objective."),
            FieldRule("bound", any, required: true, "No plan that lacks as little has a lower objective."),
            FieldRule("gap", amount, required: true, "objective - bound, or 0."),
            FieldRule("currency", .text, "As the problem says."),
            FieldRule("totals", .object(totals), required: true, "What it comes to; each slot counts with its mean."),
            FieldRule(
                "as_run", .object(totals), required: true,
                "The same where what runs in a part of a slot counts while it runs."),
            FieldRule("baseline", .object(totals), required: true, "The same of the home without what was planned."),
            FieldRule("loads", list(.object(load)), required: true, "In the problem's order, without batteries."),
            FieldRule("batteries", list(.object(battery)), required: true, "Home batteries, in the problem's order."),
            FieldRule(
                "slots", list(.object(slot)), required: true,
                "The problem's, cut further where a window or a goal begins or ends inside one, or blocks need it."),
            FieldRule(
                "notes", list(.text), required: true,
                "Sentences: what was taken for what is not said, and what could not be done as asked."),
        ])

    static let totals = ObjectRule(
        name: "totals", text: "What the home comes to.",
        fields: [
            FieldRule(
                "objective", any, required: true, "By the objective's weights, start costs and the rest included."),
            FieldRule("money", any, unit: "currency", required: true, "Paid, less what exports bring."),
            FieldRule("carbon_kg", any, unit: "kg CO2", required: true, "Of imports."),
            FieldRule("rating_kwh", any, unit: "kWh", required: true, "Imports x rating."),
        ])

    static let load = ObjectRule(
        name: "load", text: "What a load does.",
        fields: [
            FieldRule("name", .text, required: true, "As the problem says, or load-1, load-2, ..."),
            FieldRule("required_kwh", amount, unit: "kWh", required: true, "What it needs."),
            FieldRule("planned_kwh", amount, unit: "kWh", required: true, "What it gets."),
            FieldRule(
                "missing_kwh", amount, unit: "kWh",
                "What it does not get in time, of several goals at the one that misses most. Not of heating and cooling."
            ),
            FieldRule(
                "discomfort_kh", amount, unit: "K h",
                "Heating and cooling: outside its band, its setbacks left out, times the length of the slots; in the last "
                    + "slot what it lacks of final_c where that is more."),
            FieldRule("starts", .integer(0...Double.infinity), required: true, "How often it begins to run."),
            FieldRule(
                "runs", list(.object(run)), required: true, "When it runs, in order; cut where its power changes."),
            FieldRule(
                "waits", list(.object(wait)), required: true,
                "When it does not, in order; cut where the reason changes."),
            FieldRule("temperatures_c", list(any), unit: "°C", "Heating and cooling: at the end of each of slots."),
            FieldRule("setbacks", list(.object(span)), "Heating and cooling: when its band may be left."),
            FieldRule("final_missing_k", amount, unit: "K", "Heating and cooling: by which the end misses final_c."),
            FieldRule("shortfall", .object(shortfall), "Where it does not get all: why, and what would help."),
            FieldRule("energy_kwh", list(amount), unit: "kWh", required: true, "In each of slots."),
        ])

    static let run = ObjectRule(
        name: "run", text: "A time in which a load's power does not change.",
        fields: [
            start, end, FieldRule("power_kw", amount, unit: "kW", required: true, "At which it runs."),
            FieldRule("energy_kwh", amount, unit: "kWh", required: true, "What it takes."),
            FieldRule("reason", reason, required: true, "Why it runs then."),
        ])

    static let wait = ObjectRule(
        name: "wait", text: "A time in which a load does not run.",
        fields: [
            start, end, FieldRule("reason", reason, required: true, "Why it waits."),
            FieldRule(
                "limit", .text,
                "With load_balancing: the limit that leaves no room, demand charge, or its own power (0 kW)."),
        ])

    static let span = ObjectRule(name: "span", text: "A part of time.", fields: [start, end])

    static let shortfall = ObjectRule(
        name: "shortfall", text: "Why it does not get all that it needs.",
        fields: [
            cause, who, FieldRule("also", list(.object(other)), required: true, "What is in the way besides."),
            FieldRule(
                "remedies", list(.text), required: true,
                "What would help, each by itself, as was tried; for people. Empty where nothing was found in time."),
        ])

    static let other = ObjectRule(name: "cause", text: "Something that is in the way.", fields: [cause, who])

    static let battery = ObjectRule(
        name: "battery", text: "What a home battery does.",
        fields: [
            FieldRule("name", .text, required: true, "As the problem says, or load-1, load-2, ..."),
            FieldRule(
                "power_kw", list(any), unit: "kW", required: true,
                "The mean of each of slots, positive while it charges."),
            FieldRule(
                "blocks", list(.object(block)), required: true,
                "The same energy, given while loads run that need only a part of a slot."),
            FieldRule("stored_kwh", list(any), unit: "kWh", required: true, "At the end of each of slots."),
            FieldRule(
                "missing_kwh", amount, unit: "kWh", required: true,
                "Most that it has less than a goal when that is due, or than its least and its last at the end."),
            FieldRule("shortfall", .object(shortfall), "Where something is missing: why, and what would help."),
        ])

    static let block = ObjectRule(
        name: "block", text: "A time in which a battery's power does not change.",
        fields: [start, end, FieldRule("power_kw", any, unit: "kW", required: true, "Positive while it charges.")])

    static let slot = ObjectRule(
        name: "slot", text: "What the home draws and gives in a part of time, on average.",
        fields: [
            start, end, FieldRule("import_kw", amount, unit: "kW", required: true, "Drawn from the grid."),
            FieldRule("export_kw", amount, unit: "kW", required: true, "Given to it."),
            FieldRule("curtailed_kw", amount, unit: "kW", required: true, "Photovoltaic power that is thrown away."),
        ])
}

extension PlanDocument {
    /// JSON Schema (2020-12) of an answer.
    public static var schema: String {
        ProblemSchema.text(of: AnswerRules.answer, title: "Gridtide plan", isClosed: false)
    }
}
