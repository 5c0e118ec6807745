public import Foundation

/// What all that is planned at a venue keeps to, together.
public struct VenueLimits: Hashable, Sendable {
    /// A fuse and what is behind it.
    public struct Circuit: Hashable, Sendable {
        /// 1 to 64 bytes.
        public let name: String
        /// The circuit that feeds it.
        public let parent: String?
        /// Over all phases.
        public let power: Power?
        /// On each phase.
        public let powerPerPhase: Power?
        /// Directly on it; empty: all that are on no other circuit.
        public let deviceIDs: [String]
        /// Whether photovoltaics and what is not planned are on it too.
        public let carriesBaseLoad: Bool

        public init(
            name: String, parent: String? = nil, power: Power? = nil, powerPerPhase: Power? = nil,
            deviceIDs: [String] = [], carriesBaseLoad: Bool = false
        ) {
            self.name = name
            self.parent = parent
            self.power = power
            self.powerPerPhase = powerPerPhase
            self.deviceIDs = deviceIDs
            self.carriesBaseLoad = carriesBaseLoad
        }
    }

    /// A price on the highest mean power that is drawn from the grid.
    public struct DemandCharge: Hashable, Sendable {
        /// Millionths of the contract's currency, `>= 0`.
        public let microsPerKilowatt: Int64
        /// What this billing period has reached.
        public let peakSoFar: Power

        public init(microsPerKilowatt: Int64, peakSoFar: Power = .zero) {
            self.microsPerKilowatt = microsPerKilowatt
            self.peakSoFar = peakSoFar
        }
    }

    public static let circuitsMax = 50
    public static let groupsMax = 20
    /// In a circuit or a group.
    public static let devicesMax = 200

    public let venueID: UUID
    /// Most that the venue may draw.
    public let importPower: Power?
    /// Most that it may give.
    public let exportPower: Power?
    /// At most ``circuitsMax``, names unique; parents are among them and go round in no circle.
    public let circuits: [Circuit]
    /// Groups of ids of devices of which at most one runs at a time.
    public let exclusive: [[String]]
    public let demandCharge: DemandCharge?
    /// Of everything that is not planned: none, or one for each of three phases.
    public let baseLoad: [Power]
    /// What exported energy brings.
    public let exportPrice: Price
    /// Not set by request: those of the scheduler's settings.
    public let isDefault: Bool
    /// What plans make small. Asked for: `nil` leaves it as it is, ``VenueObjective/none`` is that of the settings.
    public var objective: VenueObjective?

    public init(
        venueID: UUID, importPower: Power? = nil, exportPower: Power? = nil, circuits: [Circuit] = [],
        exclusive: [[String]] = [], demandCharge: DemandCharge? = nil, baseLoad: [Power] = [],
        exportPrice: Price = Price(microsPerKilowattHour: 0), isDefault: Bool = false, objective: VenueObjective? = nil
    ) {
        self.venueID = venueID
        self.importPower = importPower
        self.exportPower = exportPower
        self.circuits = circuits
        self.exclusive = exclusive
        self.demandCharge = demandCharge
        self.baseLoad = baseLoad
        self.exportPrice = exportPrice
        self.isDefault = isDefault
        self.objective = objective
    }
}

extension VenueLimits {
    /// What contradicts itself, by field.
    public var violations: [RuleViolation] {
        var violations: [RuleViolation] = []
        func expect(_ holds: Bool, _ field: String, _ rule: String, _ value: String) {
            if !holds { violations.append(RuleViolation(field: field, rule: rule, value: value)) }
        }
        let names = circuits.map(\.name)
        for (index, circuit) in circuits.enumerated() {
            let field = "circuits[\(index)]"
            expect(
                1...64 ~= circuit.name.utf8.count, "\(field).name", "must be 1 to 64 bytes",
                "\(circuit.name.utf8.count) bytes")
            expect(names.count { $0 == circuit.name } == 1, "\(field).name", "must be there once", circuit.name)
            guard let parent = circuit.parent else { continue }
            expect(names.contains(parent), "\(field).parent", "must be the name of a circuit", parent)
            expect(!isRound(circuit), "\(field).parent", "must not lead back to itself", parent)
        }
        // Where a circuit goes round, nothing can be said of what feeds what.
        if violations.isEmpty { violations += sharedDevices }
        for (index, circuit) in circuits.enumerated() {
            violations += Self.repeated(circuit.deviceIDs, in: "circuits[\(index)]")
        }
        for (index, group) in exclusive.enumerated() {
            violations += Self.repeated(group, in: "exclusive[\(index)]")
        }
        expect(
            circuits.count { $0.deviceIDs.isEmpty && $0.parent == nil } <= 1, "circuits",
            "must have at most one for all that is on no other", "several")
        if let demandCharge {
            expect(
                0...Self.demandPriceMax ~= demandCharge.microsPerKilowatt, "demand_charge.micros_per_kw",
                "must be 0 to \(Self.demandPriceMax)", "\(demandCharge.microsPerKilowatt)")
        }
        expect(
            [0, 3].contains(baseLoad.count), "base_load_mw", "must be one for each of three phases", "\(baseLoad.count)"
        )
        return violations
    }

    /// Devices that circuits and groups name and the venue does not have: limits would not hold for what is misspelt.
    ///
    /// - Parameters:
    ///   - known: the ids of its devices.
    ///   - unplanned: of these, whose schedules are made without limits: no group could hold for them.
    public func strangers(to known: Set<String>, unplanned: Set<String> = []) -> [RuleViolation] {
        let first = known.sorted().prefix(Self.idsToldMax).joined(separator: ", ")
        let more = known.count > Self.idsToldMax ? " and \(known.count - Self.idsToldMax) more" : ""
        let there = known.isEmpty ? "there are none" : "there are \(first)\(more)"
        var violations: [RuleViolation] = []
        for (index, circuit) in circuits.enumerated() {
            for (member, id) in circuit.deviceIDs.enumerated() where !known.contains(id) {
                violations.append(
                    RuleViolation(
                        field: "circuits[\(index)].device_ids[\(member)]",
                        rule: "of circuit \(circuit.name) must be a device of the venue (\(there))", value: id))
            }
        }
        for (index, group) in exclusive.enumerated() {
            for (member, id) in group.enumerated() where !known.contains(id) || unplanned.contains(id) {
                violations.append(
                    RuleViolation(
                        field: "exclusive[\(index)].device_ids[\(member)]",
                        rule: known.contains(id)
                            ? "must be planned beside others: heating and cooling is with climate (see PutDevice)"
                            : "must be a device of the venue (\(there))", value: id))
            }
        }
        return violations
    }

    private static let idsToldMax = 20

    private static let demandPriceMax: Int64 = 1_000_000_000_000

    /// Devices on two circuits of which neither feeds the other: power comes through one, and those that feed it.
    private var sharedDevices: [RuleViolation] {
        var violations: [RuleViolation] = []
        for (index, circuit) in circuits.enumerated() {
            for other in circuits[..<index] where !feeds(circuit, other) && !feeds(other, circuit) {
                let there = Set(other.deviceIDs)
                for (member, id) in circuit.deviceIDs.enumerated() where there.contains(id) {
                    violations.append(
                        RuleViolation(
                            field: "circuits[\(index)].device_ids[\(member)]",
                            rule:
                                "must not be on circuit \(other.name) too, which neither feeds circuit \(circuit.name) "
                                + "nor is fed by it", value: id))
                }
            }
        }
        return violations
    }

    private static func repeated(_ ids: [String], in field: String) -> [RuleViolation] {
        ids.indices.filter { ids[..<$0].contains(ids[$0]) }.map {
            RuleViolation(field: "\(field).device_ids[\($0)]", rule: "must be there once", value: ids[$0])
        }
    }

    private func feeds(_ circuit: Circuit, _ other: Circuit) -> Bool {
        var next = other.parent
        while let name = next, name != circuit.name { next = circuits.first { $0.name == name }?.parent }
        return next != nil
    }

    private func isRound(_ circuit: Circuit) -> Bool {
        var (current, steps) = (circuit, 0)
        while let next = circuits.first(where: { $0.name == current.parent }) {
            guard steps < circuits.count else { return true }
            (current, steps) = (next, steps + 1)
        }
        return false
    }
}
