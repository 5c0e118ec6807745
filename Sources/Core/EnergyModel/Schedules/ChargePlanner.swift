public import Foundation

/// Plans one vehicle's charging: the lowest sum of rating x time that brings the energy before the deadline.
///
/// Exact to the millisecond and the milliwatt-hour, for one load at one power. Where the guidance ends before the
/// deadline the rest of the window is usable but rated worse than anything known: it is taken only when the known part
/// is too short, never because it might turn out cheap. Of equal ratings the earlier is taken by default: a device
/// that charges slower than it said is then still ready in time.
public struct ChargePlanner: Sendable {
    public let ties: TieBreak

    public init(ties: TieBreak = .earlier) { self.ties = ties }

    /// - Parameters:
    ///   - required: from the grid; at or below zero the target is reached.
    ///   - power: while it charges, at the grid.
    ///   - window: from now until the deadline.
    ///   - guidance: `nil`, or one that rates no part of the window, means charging at once.
    ///   - timeZone: of the times in the explanation.
    public func plan(
        required: Energy, power: Power, window: Interval, guidance: Guidance?, timeZone: TimeZone
    ) -> DevicePlan {
        let slots = RatedSlot.cut(window, by: guidance?.values ?? [])
        let isRated = slots.contains { $0.rating != nil }
        let guidance = isRated ? guidance : nil
        let required = max(.zero, required)
        let most = power.energy(overMilliseconds: window.milliseconds)
        let needed = required <= most ? Self.milliseconds(for: required, at: power) : window.milliseconds
        let mustHurry = required > .zero && needed >= window.milliseconds

        let choice = SlotChoice(slots: slots, ties: isRated ? ties : .earlier)
        // Ratings end at 1, so 2 is worse than any of them.
        let taken = choice.take(milliseconds: required > .zero ? needed : 0) { $0.rating ?? 2 }
        let blocks = ChargeBlocks(
            power: power, required: min(required, most), isByRates: guidance?.isDecidedByRates ?? false,
            isRated: isRated, mustHurry: mustHurry
        ).lay(taken, over: slots)
        let planned = min(required, most)
        let explanation = ChargeExplanation(
            blocks: blocks, window: window, power: power, needed: Self.milliseconds(for: required, at: power),
            missing: required - planned, mustHurry: mustHurry, isRated: isRated,
            isByRates: guidance?.isDecidedByRates ?? false, ratedUntil: slots.last { $0.rating != nil }?.interval.end,
            text: LocalTimeText(timeZone: timeZone, now: window.start)
        ).sentence
        return DevicePlan(
            blocks: blocks, guidanceToken: guidance?.token, required: required, planned: planned,
            explanation: explanation)
    }

    /// How long `power` takes to bring `energy`, rounded up to a millisecond.
    static func milliseconds(for energy: Energy, at power: Power) -> Int64 {
        guard power > .zero, energy > .zero else { return 0 }
        let product = energy.milliwattHours.multipliedFullWidth(by: .millisecondsPerHour)
        // The quotient must fit: more than 292 million years is as good as never.
        guard product.high < power.milliwatts else { return .max }
        let (quotient, remainder) = power.milliwatts.dividingFullWidth(product)
        return remainder > 0 ? quotient + 1 : quotient
    }
}
