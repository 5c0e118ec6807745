/// What one signal's values are judged against: among which others, and how far their differences can be trusted.
///
/// Made once for all venues that share the signal and the window.
public struct SignalScale: Sendable {
    /// The noise of a signal whose forecast error is not known, as a share of its mean size.
    public static let relativeNoiseUnknown = 0.05

    /// Differences below this say nothing, in the signal's unit.
    public let noise: Double
    /// 0 flat .. 1 its spread is above the noise.
    public let certainty: Double
    private let distribution: Distribution

    /// - Parameters:
    ///   - distribution: of the values to be judged, and perhaps of older ones.
    ///   - noise: in the signal's unit; `nil` while it is not known.
    public init(_ distribution: Distribution, noise: Double? = nil) {
        self.distribution = distribution
        let noise = noise.map { max(0, $0) } ?? Self.relativeNoiseUnknown * distribution.meanSize
        self.noise = noise
        let spread = distribution.spread
        certainty = spread == 0 ? 0 : noise == 0 ? 1 : min(1, spread / noise)
    }

    /// The mid-rank of `value`, drawn towards 0.5 where the signal is flat: `0...1`.
    func score(_ value: Double) -> Double { 0.5 + certainty * (distribution.midRank(of: value) - 0.5) }

    var relativeSpread: Double { distribution.relativeSpread }
}
