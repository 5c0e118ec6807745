internal import ArgumentParser
internal import EnergyModel

/// How charging may be switched, as people type it.
struct ShapeOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Once it charges, it does so for at least this long: 30m.", valueName: "time"),
        transform: shapeTime)
    var minRun: Int64 = 0
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Once it waits, it does so for at least this long: 15m.", valueName: "time"),
        transform: shapeTime)
    var minPause: Int64 = 0
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("At most so many runs for a deadline.", valueName: "1-100"))
    var maxRuns: Int?
    @Flag(name: .long, help: "All in one run, as --max-runs 1.") var oneBlock = false
    @Flag(name: .long, help: "Of equally good times the last: the battery stands full for a shorter time.")
    var late = false
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Ready so long before each deadline, if it can be.", valueName: "time"),
        transform: shapeTime)
    var margin: Int64 = 0
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("So long at full power before the last deadline, at any price.", valueName: "time"),
        transform: shapeTime)
    var precondition: Int64 = 0

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "What each start must be worth, in what plans make small: currency with the objective money.",
            valueName: "amount"))
    var startCost: Double = 0

    func validate() throws {
        guard ChargingShape.startCostRange ~= startCost else {
            throw ValidationError("--start-cost must be 0 to 1000000.")
        }
        guard maxRuns.map({ ChargingShape.runsMaxRange ~= $0 }) ?? true else {
            throw ValidationError("--max-runs must be 1 to 100.")
        }
        guard !oneBlock || maxRuns == nil else { throw ValidationError("Say --one-block or --max-runs, not both.") }
    }

    var shape: ChargingShape {
        ChargingShape(
            runMinMilliseconds: minRun, pauseMinMilliseconds: minPause, runsMax: oneBlock ? 1 : maxRuns,
            ties: late ? .later : .earlier, marginMilliseconds: margin, preconditionMilliseconds: precondition,
            startCost: startCost)
    }
}

@Sendable private func shapeTime(_ text: String) throws -> Int64 {
    guard let duration = TimeSpan(text)?.duration, .zero <= duration, duration <= .seconds(86_400) else {
        throw ValidationError("'\(text)' must be a time of at most 24h, for example 90s, 15m or 2h.")
    }
    return duration.components.seconds * 1_000
}
