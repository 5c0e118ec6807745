/// How a vehicle's charging may be switched. Deadlines come first: what could not be had in time otherwise breaks it.
public struct ChargingShape: Hashable, Sendable {
    /// `0...86_400_000`: once it charges, it does so for this long; less only if it needs less.
    public let runMinMilliseconds: Int64
    /// `0...86_400_000`: once it waits, it does so for this long.
    public let pauseMinMilliseconds: Int64
    /// Runs for a deadline, `1...100`; 1 is one block, `nil` as many as it likes.
    public let runsMax: Int?
    /// Which of equally good times.
    public let ties: TieBreak
    /// `0...86_400_000`: ready so long before each deadline, where that can be.
    public let marginMilliseconds: Int64
    /// `0...86_400_000` before the last deadline at full power, whatever that costs.
    public let preconditionMilliseconds: Int64
    /// ``startCostRange``, in units of the venue's objective: each start must be worth so much.
    public let startCost: Double

    public static let runsMaxRange = 1...100
    public static let timeRange: ClosedRange<Int64> = 0 ... .millisecondsPerDay
    public static let startCostRange = 0.0...1_000_000

    public init(
        runMinMilliseconds: Int64 = 0, pauseMinMilliseconds: Int64 = 0, runsMax: Int? = nil,
        ties: TieBreak = .earlier, marginMilliseconds: Int64 = 0, preconditionMilliseconds: Int64 = 0,
        startCost: Double = 0
    ) {
        self.runMinMilliseconds = runMinMilliseconds
        self.pauseMinMilliseconds = pauseMinMilliseconds
        self.runsMax = runsMax
        self.ties = ties
        self.marginMilliseconds = marginMilliseconds
        self.preconditionMilliseconds = preconditionMilliseconds
        self.startCost = startCost
    }
}
