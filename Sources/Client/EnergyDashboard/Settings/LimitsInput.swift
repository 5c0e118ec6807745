internal import EnergyModel
internal import Foundation

/// What somebody typed of what a home's connection carries. Kept as text, so that nothing is lost when some of it is wrong.
struct LimitsInput: Hashable, Sendable {
    /// A; empty is none.
    var fuse = ""
    /// `3` or `1`.
    var phases = "3"
    /// kW, most from the grid; empty is any.
    var importMax = ""
    /// kW; empty is not known.
    var baseLoad = ""

    /// Of a volt and an ampere on one phase.
    private static let milliwattsOfAmpere = 230_000.0

    init(_ limits: VenueLimits) {
        if let current = Self.current(limits) { fuse = FormText.text(current) }
        if Self.isOnOnePhase(limits) { phases = "1" }
        importMax = limits.importPower.map { FormText.text($0.kilowatts) } ?? ""
        if !limits.baseLoad.isEmpty { baseLoad = FormText.text(Self.total(limits)) }
    }

    init(_ request: PageRequest) {
        fuse = FormText.line(request, "fuse")
        phases = request.field("phases") == "1" ? "1" : "3"
        importMax = FormText.line(request, "import")
        baseLoad = FormText.line(request, "base-load")
    }

    /// A of the main fuse, in hundredths; `nil` where there is none.
    static func current(_ limits: VenueLimits) -> Double? {
        guard let main = limits.mainFuse, let power = main.powerPerPhase ?? main.power else { return nil }
        return (Double(power.milliwatts) / milliwattsOfAmpere * 100).rounded() / 100
    }

    static func isOnOnePhase(_ limits: VenueLimits) -> Bool {
        limits.mainFuse.map { $0.powerPerPhase == nil && $0.power != nil } ?? false
    }

    /// kW over all phases, as people say it.
    static func total(_ limits: VenueLimits) -> Double {
        (limits.baseLoad.reduce(0) { $0 + $1.kilowatts } * 1_000).rounded() / 1_000
    }

    /// - Parameter known: what the form does not ask, and what was not changed, stays as it is.
    /// - Returns: the limits to ask for, or what is wrong with the input; never both.
    func limits(replacing known: VenueLimits, _ language: Language) -> (limits: VenueLimits?, problems: FormProblems) {
        var problems: FormProblems = [:]
        func number(_ text: String, _ field: String, _ label: Word, _ range: ClosedRange<Double>) -> Double? {
            guard !text.isEmpty else { return nil }
            let number = FormText.number(text, in: range)
            if number == nil {
                problems[field] = language(
                    .mustBeNumber, language(label), language.decimal(range.lowerBound),
                    language.decimal(range.upperBound))
            }
            return number
        }
        let current = number(fuse, "fuse", .limitsFuse, 1...10_000)
        let most = number(importMax, "import", .limitsImport, 0...10_000)
        let base = number(baseLoad, "base-load", .limitsBaseLoad, 0...10_000)
        guard problems.isEmpty else { return (nil, problems) }
        let before = LimitsInput(known)
        let isSame = (before.fuse, before.phases) == (fuse, phases)
        return (
            VenueLimits(
                venueID: known.venueID, importPower: most.map(Power.init(kilowatts:)), exportPower: known.exportPower,
                circuits: isSame ? known.circuits : known.circuits(behind: current.map { circuit($0, known) }),
                exclusive: known.exclusive, demandCharge: known.demandCharge,
                baseLoad: before.baseLoad == baseLoad
                    ? known.baseLoad : base.map { Array(repeating: Power(kilowatts: $0 / 3), count: 3) } ?? [],
                exportPrice: known.exportPrice), [:]
        )
    }

    private func circuit(_ current: Double, _ known: VenueLimits) -> VenueLimits.Circuit {
        let power = Power(kilowatts: current * Self.milliwattsOfAmpere / 1_000_000)
        return VenueLimits.Circuit(
            name: known.mainFuse?.name ?? VenueLimits.fuseName, power: phases == "1" ? power : nil,
            powerPerPhase: phases == "1" ? nil : power, carriesBaseLoad: true)
    }

    /// Which field is meant by the contract's.
    static let names = ["import_power_mw": "import", "base_load_mw": "base-load"]

    @HTMLBuilder func fields(_ language: Language, _ problems: FormProblems) -> HTML {
        Form.number(
            "fuse", language(.limitsFuse), value: fuse, hint: language(.limitsFuseHint), error: problems["fuse"])
        Form.select(
            "phases", language(.limitsPhases), [("3", language(.limitsThreePhases)), ("1", language(.limitsOnePhase))],
            chosen: phases)
        Form.number(
            "import", language(.limitsImport), value: importMax, hint: language(.limitsImportHint),
            error: problems["import"])
        Form.number(
            "base-load", language(.limitsBaseLoad), value: baseLoad, hint: language(.limitsBaseLoadHint),
            error: problems["base-load"])
    }
}
