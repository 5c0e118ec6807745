/// Energy and run time, together.
public struct InsightAmount: Hashable, Sendable, AdditiveArithmetic {
    public var energy: Energy
    /// Time with power > 0 or stage > 0.
    public var runtimeMilliseconds: Int64
    /// Of heating and cooling, run time times stage: an hour at 40 % is 24 minutes. Of others the run time.
    public var weightedRuntimeMilliseconds: Int64

    public static let zero = InsightAmount(energy: .zero, runtimeMilliseconds: 0)

    /// - Parameter weightedRuntimeMilliseconds: the run time unless said.
    @inlinable public init(energy: Energy, runtimeMilliseconds: Int64, weightedRuntimeMilliseconds: Int64? = nil) {
        self.energy = energy
        self.runtimeMilliseconds = runtimeMilliseconds
        self.weightedRuntimeMilliseconds = weightedRuntimeMilliseconds ?? runtimeMilliseconds
    }

    // Saturating: sums of what senders claim must not stop the service, however much they claim.
    @inlinable public static func + (lhs: InsightAmount, rhs: InsightAmount) -> InsightAmount {
        InsightAmount(
            energy: Energy(milliwattHours: lhs.energy.milliwattHours.addingSaturated(rhs.energy.milliwattHours)),
            runtimeMilliseconds: lhs.runtimeMilliseconds.addingSaturated(rhs.runtimeMilliseconds),
            weightedRuntimeMilliseconds: lhs.weightedRuntimeMilliseconds
                .addingSaturated(rhs.weightedRuntimeMilliseconds))
    }
    @inline(__always) @inlinable
    public static func += (lhs: inout InsightAmount, rhs: InsightAmount) { lhs = lhs + rhs }
    @inlinable public static func - (lhs: InsightAmount, rhs: InsightAmount) -> InsightAmount {
        InsightAmount(
            energy: Energy(milliwattHours: lhs.energy.milliwattHours.subtractingSaturated(rhs.energy.milliwattHours)),
            runtimeMilliseconds: lhs.runtimeMilliseconds.subtractingSaturated(rhs.runtimeMilliseconds),
            weightedRuntimeMilliseconds: lhs.weightedRuntimeMilliseconds
                .subtractingSaturated(rhs.weightedRuntimeMilliseconds))
    }
}

/// What one class of time adds up to: amounts, and what they cost and emitted by its terms.
public struct InsightTally: Hashable, Sendable, AdditiveArithmetic {
    public var amount: InsightAmount
    /// Millionths of the class's currency; of exported energy what is paid for it. 0 where the class has no price.
    public var costMicros: Int64
    /// 0 where the class has no carbon intensity.
    public var carbonMilligrams: Int64

    public static let zero = InsightTally(amount: .zero)

    @inlinable public init(amount: InsightAmount, costMicros: Int64 = 0, carbonMilligrams: Int64 = 0) {
        self.amount = amount
        self.costMicros = costMicros
        self.carbonMilligrams = carbonMilligrams
    }

    @inlinable public static func + (lhs: InsightTally, rhs: InsightTally) -> InsightTally {
        InsightTally(
            amount: lhs.amount + rhs.amount, costMicros: lhs.costMicros.addingSaturated(rhs.costMicros),
            carbonMilligrams: lhs.carbonMilligrams.addingSaturated(rhs.carbonMilligrams))
    }
    @inlinable public static func += (lhs: inout InsightTally, rhs: InsightTally) {
        lhs.amount += rhs.amount
        lhs.costMicros = lhs.costMicros.addingSaturated(rhs.costMicros)
        lhs.carbonMilligrams = lhs.carbonMilligrams.addingSaturated(rhs.carbonMilligrams)
    }
    @inlinable public static func - (lhs: InsightTally, rhs: InsightTally) -> InsightTally {
        InsightTally(
            amount: lhs.amount - rhs.amount, costMicros: lhs.costMicros.subtractingSaturated(rhs.costMicros),
            carbonMilligrams: lhs.carbonMilligrams.subtractingSaturated(rhs.carbonMilligrams))
    }
}

extension Int64 {
    /// The nearest number to the sum.
    @inlinable package func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (self < 0 ? .min : .max) : sum
    }

    /// The nearest number to the difference.
    @inlinable package func subtractingSaturated(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self < 0 ? .min : .max) : difference
    }
}
