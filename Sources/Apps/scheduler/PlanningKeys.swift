import EnergyPlanning
import Foundation
import Scheduling
import ServiceRuntime

/// What can be set for the scheduler.
enum PlanningKeys {
    private static let timeLimit = ConfigurationKey<Duration>.duration(
        "planning.time-limit", default: "4s", from: "100ms", to: "1m",
        help: """
            How long a venue's plans may be worked on after a change, all together; the best found by then is followed. \
            The change is stored before, and answered within 2 s: where its plan is not there by then, it is published later.
            """)

    private static let improvementTimeLimit = ConfigurationKey<Duration>.duration(
        "planning.improve-for", default: "30s", from: "0s", to: "10m",
        help: """
            Where the time limit was up before a plan was proven best, how long a better one is looked for afterwards, while \
            the first is followed; 0s for never.
            """)

    private static let tellsStatus = ConfigurationKey<Bool>.flag(
        "planning.status-events", default: true,
        help: "Tell the event log why a vehicle charges or waits, where it does not tell that itself within a minute.")

    private static let venues = ConfigurationSection(
        "venues",
        allowed: """
            what holds where devices are planned; all members are optional
            id            of the venue (energyctl venues); the entry without one is for all other venues
            objective     rating (guidance's, the default), money, carbon, or mix: money, and carbon at carbon-price
            carbon-price  what a kg of CO2 counts in a mix, in the contract's currency (0.1)
            import-power  kW that the whole venue may draw
            export-power  kW that it may give
            export-price  what an exported kWh brings, in the contract's currency (0)
            demand-price  what a kW of the highest power drawn costs, above demand-peak
            demand-peak   kW that this billing period has reached (0)
            base-load     kW of everything that is not planned: one number for all, or three, one a phase
            circuits      name; optional: parent (the circuit that feeds it), power and power-per-phase (kW), devices
                          (ids; if absent, all that are on no other circuit), carries-base-load (false)
            exclusive     devices (ids) of which one may run at a time
            """,
        help: """
            Fuses, circuits and what counts. What is planned at a venue is planned together and within them; \
            `energyctl schedule limits set` takes their place.
            """)

    static let declarations = [
        timeLimit.declaration, improvementTimeLimit.declaration, tellsStatus.declaration, venues.declaration,
    ]

    private static let members = [
        "id", "objective", "carbon-price", "import-power", "export-power", "export-price", "demand-price",
        "demand-peak",
        "base-load", "circuits", "exclusive",
    ]

    private static let circuitMembers = [
        "name", "parent", "power", "power-per-phase", "devices", "carries-base-load",
    ]

    /// - Throws: ``ConfigurationError`` for what is wrong with the settings.
    static func read(
        _ configuration: ServiceConfiguration, solver: any PlanSolver
    ) throws(ConfigurationError) -> PlanningSettings {
        var settings = PlanningSettings(
            solver: solver, timeLimit: configuration[timeLimit],
            improvementTimeLimit: configuration[improvementTimeLimit], tellsStatus: configuration[tellsStatus])
        var hasOthers = false
        _ = try configuration.entries(venues, allowed: members) { (entry) throws(ConfigurationError) in
            let id = try entry.optional("id", allowed: "a UUID", parse: UUID.init(uuidString:))
            let venue = try venue(&entry)
            if let id {
                guard settings.venues.updateValue(venue, forKey: id) == nil else {
                    throw entry.refusal("id", "stands there twice; allowed: one entry for a venue")
                }
            } else {
                guard !hasOthers else {
                    throw entry.refusal("id", "is absent twice; allowed: one entry for all other venues")
                }
                (settings.others, hasOthers) = (venue, true)
            }
        }
        return settings
    }

    private static func venue(_ entry: inout ConfigurationEntry) throws(ConfigurationError) -> VenueSettings {
        let carbonPrice = try number("carbon-price", "a number from 0 to 1000", 1_000, &entry) ?? 0.1
        let objective = try entry.optional("objective", allowed: "one of rating, money, carbon, mix") { word in
            [
                "rating": PlanObjective.rating, "money": .money, "carbon": .carbon,
                "mix": PlanObjective(money: 1, carbon: carbonPrice, rating: 0),
            ][word]
        }
        var limits = PlanLimits(
            importPower: try power("import-power", &entry), exportPower: try power("export-power", &entry))
        let peak = try power("demand-peak", &entry)
        let demandPrice = try number("demand-price", "a number from 0 to 1000000", 1_000_000, &entry)
        limits.demandCharge = demandPrice.map { DemandCharge(price: $0, peakSoFar: peak ?? 0) }
        let exportPrice = try number("export-price", "a number from 0 to 1000", 1_000, &entry) ?? 0
        limits.circuits = try entry.entries("circuits", allowed: circuitMembers) { (entry) throws(ConfigurationError) in
            try circuit(&entry)
        }
        let names = limits.circuits.map(\.name)
        guard Set(names).count == names.count else {
            throw entry.refusal("circuits", "have a name twice; allowed: a name of its own for each")
        }
        for parent in limits.circuits.compactMap(\.parent) where !names.contains(parent) {
            throw entry.refusal("circuits", "have no '\(parent)', which is said to feed another")
        }
        let exclusive = try entry.strings("exclusive")
        if !exclusive.isEmpty { limits.exclusive = [exclusive] }
        var settings = VenueSettings(limits: limits, baseLoad: try baseLoad(&entry), objective: objective ?? .rating)
        settings.exportPrice = exportPrice
        return settings
    }

    private static func circuit(_ entry: inout ConfigurationEntry) throws(ConfigurationError) -> Circuit {
        let devices = try entry.strings("devices")
        return Circuit(
            name: try entry.string("name"),
            parent: try entry.optional("parent", allowed: "the name of a circuit") { $0 },
            power: try power("power", &entry), powerPerPhase: try power("power-per-phase", &entry),
            members: devices.isEmpty ? nil : devices,
            carriesBaseLoad: try entry.optional("carries-base-load", allowed: "true or false", parse: Bool.init)
                ?? false)
    }

    private static func baseLoad(_ entry: inout ConfigurationEntry) throws(ConfigurationError) -> [Double] {
        let texts = try entry.strings("base-load")
        let values = texts.compactMap { Double($0) }.filter { 0...1_000 ~= $0 }
        guard values.count == texts.count, [0, 1, 3].contains(values.count) else {
            throw entry.refusal("base-load", "must be one or three numbers of kW, from 0 to 1000")
        }
        if values.count == 3 { return values }
        return Array(repeating: (values.first ?? 0) / 3, count: 3)
    }

    private static func power(
        _ name: String, _ entry: inout ConfigurationEntry
    ) throws(ConfigurationError) -> Double? { try number(name, "kW, a number from 0 to 1000", 1_000, &entry) }

    private static func number(
        _ name: String, _ allowed: String, _ most: Double, _ entry: inout ConfigurationEntry
    ) throws(ConfigurationError) -> Double? {
        try entry.optional(name, allowed: allowed) { Double($0).flatMap { 0...most ~= $0 ? $0 : nil } }
    }
}
