internal import ArgumentParser
internal import EnergyModel

/// A vehicle's powers as currents on each of its phases.
struct CurrentOptions: ParsableArguments {
    private static let range = 0.001...1_000.0

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The most on each of its phases, in place of --power.", valueName: "A"))
    var currentMax: Double?
    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("The least, in place of --power-min.", valueName: "A"))
    var currentMin: Double?
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("From one current to the next, counted from 0, in place of --power-step.", valueName: "A"))
    var currentStep: Double?
    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Of a phase, for currents.", valueName: "V"))
    var voltage: Double = 230

    var isEmpty: Bool { currentMax == nil && currentMin == nil && currentStep == nil }

    func validate() throws {
        for (name, value) in [
            ("current-max", currentMax), ("current-min", currentMin), ("current-step", currentStep),
            ("voltage", voltage),
        ] where value.map({ !(Self.range ~= $0) }) ?? false {
            throw ValidationError("--\(name) must be 0.001 to 1000.")
        }
    }

    /// kW
    func power(_ current: Double?, _ phases: [Int]) -> Double? {
        current.map { $0 * voltage * Double(phases.count) / 1_000 }
    }

    func step(below power: Power, _ phases: [Int]) throws -> VehicleTraits.CurrentStep? {
        guard let currentStep else { return nil }
        guard let kilowatts = self.power(currentStep, phases), Power(kilowatts: kilowatts) <= power else {
            throw ValidationError("--current-step must be at most the highest current.")
        }
        return VehicleTraits.CurrentStep(
            milliamperes: Int64((currentStep * 1_000).rounded()), millivolts: Int64((voltage * 1_000).rounded()))
    }
}
