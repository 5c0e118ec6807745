public import Foundation

/// What a planner found: a ``Schedule`` without its identity.
public struct DevicePlan: Hashable, Sendable {
    /// Sorted, without gaps, covering the window.
    public var blocks: [ScheduleBlock]
    /// The guidance that decided; `nil` if none was known for any part of the window.
    public let guidanceToken: UUID?
    /// From the grid.
    public let required: Energy
    public let planned: Energy
    /// One sentence for people, times in the venue's zone.
    public var explanation: String
    /// 0...1: the venue's best plan costs less by this share at most; 0 is proven best.
    public var optimalityGap = 0.0
    /// K h that a building is expected to be outside its comfort band; 0 for anything else.
    public var discomfort = 0.0

    public init(
        blocks: [ScheduleBlock], guidanceToken: UUID?, required: Energy, planned: Energy, explanation: String
    ) {
        self.blocks = blocks
        self.guidanceToken = guidanceToken
        self.required = required
        self.planned = planned
        self.explanation = explanation
    }
}

extension Guidance {
    /// Whether rates, rather than carbon, decide most of a rating.
    public var isDecidedByRates: Bool { incorporatesRatePlan && basis.priceWeight > 0.5 }
}
