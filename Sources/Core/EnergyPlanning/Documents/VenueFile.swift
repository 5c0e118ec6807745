public import EnergyModel

/// What people write of a venue in files: its limits and its forecast, in the words of a problem.
public enum VenueFile {
    /// The limits of a problem, and what a problem says in its slots.
    public struct Limits: Hashable, Sendable {
        /// Its main fuse is a circuit without members that all others are behind.
        public var limits: PlanLimits
        /// kW of what is not planned, on the three phases; `nil`: not said.
        public var baseLoad: [Double]?
        /// Currency per exported kWh.
        public var exportPrice: Double
        /// The first of the circuits is the main fuse.
        public var hasFuse: Bool
    }

    public struct Forecast: Hashable, Sendable {
        public struct Value: Hashable, Sendable {
            public var interval: Interval
            /// kW; of ``Forecast/outdoor`` °C.
            public var value: Double
        }

        public var photovoltaics: [Value]
        public var baseLoad: [Value]
        public var outdoor: [Value]
    }

    /// A load of a problem that is not charged.
    public enum Load: Hashable, Sendable {
        /// With its capacity in kWh, its least percent, and what it holds in percent, if the file says that.
        case battery(HomeBattery, capacity: Double, reserve: Double, initial: Double?)
        /// Its need is a profile, or comfort with one value of each kind.
        case planned(PlannedLoad)
    }

    /// - Throws: ``ProblemError`` with the path of the first mistake.
    public static func limits(_ bytes: [UInt8]) throws(ProblemError) -> Limits {
        let value = try JSONValue.parse(bytes)
        try ProblemRules.venueLimits.check(value, at: "$")
        let root = JSONObject(value, "$")
        var limits = try ProblemReader.limits(root, names: nil)
        if let main = limits.circuits.first(where: { $0.members == nil }) {
            for index in limits.circuits.indices
            where limits.circuits[index].members != nil && limits.circuits[index].parent == nil {
                limits.circuits[index].parent = main.name
            }
        }
        return Limits(
            limits: limits, baseLoad: try root.threePhases("base_load_kw"),
            exportPrice: root.number("export_price") ?? 0, hasFuse: root.object("fuse") != nil)
    }

    /// - Throws: ``ProblemError`` with the path of the first mistake.
    public static func forecast(_ bytes: [UInt8]) throws(ProblemError) -> Forecast {
        let value = try JSONValue.parse(bytes)
        try ProblemRules.venueForecast.check(value, at: "$")
        let root = JSONObject(value, "$")
        return Forecast(
            photovoltaics: try values(root, "pv"), baseLoad: try values(root, "base_load"),
            outdoor: try values(root, "outdoor", of: "celsius"))
    }

    /// - Throws: ``ProblemError`` with the path of the first mistake.
    public static func load(_ bytes: [UInt8]) throws(ProblemError) -> Load {
        let value = try JSONValue.parse(bytes)
        try ProblemRules.load.check(value, at: "$")
        let root = JSONObject(value, "$")
        if let member = ["deadline", "earliest_start", "goals", "target_soc"].first(where: root.has) {
            throw ProblemError("$.\(member)", "is not of the load itself: leave it out, and set a goal for it")
        }
        if let thermal = root.object("thermal") { try checkOneEach(thermal) }
        let hour = Interval(start: Timestamp(unixMilliseconds: 0), milliseconds: .millisecondsPerHour)
        let reader = LoadReader(root, index: 0, slots: [PlanSlot(interval: hour, importPrice: 0)])
        if let member = offlineOnly(reader.type).first(where: root.has) {
            throw ProblemError("$.\(member)", "is for 'schedule solve' only: leave it out")
        }
        switch reader.type {
        case .battery:
            return .battery(
                try reader.battery(), capacity: root.number("capacity_kwh") ?? 0, reserve: root.number("min_soc") ?? 0,
                initial: root.number("initial_soc"))
        case .appliance, .hvac: return .planned(try reader.load())
        case .ev, .load:
            throw ProblemError("$.type", "must be appliance, hvac or battery; vehicles have options of their own")
        }
    }

    /// What a plan knows of a load and the service does not: it must not be lost without a word.
    private static func offlineOnly(_ type: LoadReader.Kind) -> [String] {
        switch type {
        case .battery: ["max_soc", "final_soc", "end_value_per_kwh"]
        case .appliance, .hvac: ["start_cost", "max_price", "max_carbon"]
        case .ev, .load: []
        }
    }

    /// A building has no slots: one number holds until it is told again.
    private static func checkOneEach(_ thermal: JSONObject) throws(ProblemError) {
        for member in ["comfort_min_c", "comfort_max_c", "outdoor_c"] {
            guard thermal.number(member) == nil else { continue }
            throw ProblemError("\(thermal.path).\(member)", thermal.has(member) ? "must be one number" : "is missing")
        }
    }

    private static func values(
        _ root: JSONObject, _ name: String, of member: String = "kw"
    ) throws(ProblemError) -> [Forecast.Value] {
        var values: [Forecast.Value] = []
        for object in root.list(name) {
            guard let start = object.time("start"), let end = object.time("end"), let value = object.number(member)
            else { continue }
            guard let interval = Interval(start: start, end: end) else {
                throw ProblemError("\(object.path).end", "must be after start")
            }
            if let last = values.last, last.interval.end > start {
                throw ProblemError("\(object.path).start", "must not be before the one before it ends")
            }
            values.append(Forecast.Value(interval: interval, value: value))
        }
        return values
    }

    /// JSON Schema of a file of limits.
    public static var limitsSchema: String {
        ProblemSchema.text(of: ProblemRules.venueLimits, title: "Limits of a Gridtide venue")
    }

    /// JSON Schema of a file with a forecast.
    public static var forecastSchema: String {
        ProblemSchema.text(of: ProblemRules.venueForecast, title: "Forecast of a Gridtide venue")
    }
}

extension ProblemRules {
    private static let power = FieldRule.Kind.number(0...1_000)

    static let venueLimits = ObjectRule(
        name: "venue-limits", text: "What all that is planned at a venue keeps to: a problem's limits, and more.",
        fields: limits.fields + [
            FieldRule(
                "base_load_kw", .either([power, .list(power, atLeast: 3, atMost: 3)]), unit: "kW", default: "0",
                "What runs anyway, in all or as [phase 1, phase 2, phase 3], where the forecast says nothing."),
            FieldRule(
                "export_price", .number(-1e6...1e6), unit: "currency/kWh", default: "0", "What exported energy brings."),
        ])

    static let venueForecast = ObjectRule(
        name: "venue-forecast", text: "What a venue expects. Between the values nothing is known.",
        fields: [
            FieldRule("pv", .list(.object(forecastValue), atLeast: 0), "Photovoltaics; unknown is 0."),
            FieldRule(
                "base_load", .list(.object(forecastValue), atLeast: 0),
                "What runs anyway; unknown is base_load_kw of the limits."),
            FieldRule(
                "outdoor", .list(.object(forecastTemperature), atLeast: 0),
                "Temperature outdoors; unknown is what the device says."),
        ])

    private static let forecastTemperature = ObjectRule(
        name: "temperature", text: "A mean temperature.",
        fields: [
            FieldRule("start", .time, required: true, "When it begins, included: ISO 8601 with its offset."),
            FieldRule("end", .time, required: true, "When it ends, not included."),
            FieldRule("celsius", .number(-100...100), unit: "°C", required: true, "Mean."),
        ])

    private static let forecastValue = ObjectRule(
        name: "value", text: "A mean power.",
        fields: [
            FieldRule("start", .time, required: true, "When it begins, included: ISO 8601 with its offset."),
            FieldRule("end", .time, required: true, "When it ends, not included."),
            FieldRule("kw", power, unit: "kW", required: true, "Mean, over all phases."),
        ])
}
