/// Turns carbon intensity and price into ratings, 0 best .. 1 worst.
///
/// 1. Each signal is scored by its mid-rank: the share of the time that is better, plus half of the time that is equal.
///    Ranks decide what following guidance saves, and a price spike of 9,000 flattens nothing.
/// 2. A signal that hardly changes says little: its scores are drawn towards 0.5 by `spread / noise`.
/// 3. The scores are blended: `w * price + (1 - w) * carbon`.
/// 4. The blend is ranked again, so that it uses the whole scale, and drawn towards 0.5 if both signals are flat.
/// 5. A critical peak that the contract declares is rated 1, whatever the ranks.
///
/// `.shift` and `.reduce` answer different questions. A load that shifts uses its energy in this window in any case, so
/// intervals are ranked among each other: there is always a best hour. A load that reduces does not catch up later, so
/// there may be nothing worth cutting today: intervals are ranked among those of the last 28 days as well, and step 4 is
/// left out. Until seven days of history are known the two are the same.
///
/// - Source: signals.md 6.3 to 6.6.
public struct RatingMethod: Hashable, Sendable {
    /// Published with every guidance. Changes whenever the same input would be rated differently.
    public static let name = "mid-rank-blend/1"

    /// 0 carbon only .. 1 price only; used while a price is known for the whole window.
    public var priceWeight: Double
    /// Relative spread below which differences are taken for noise: the source's own recent forecast error.
    public var noise: Double
    /// The noise of a source whose forecast error is not known.
    public static let noiseUnknown = 0.05

    /// Equal weights keep more than 90 % of what either signal alone would save (signals.md 5.5).
    public init(priceWeight: Double = 0.5, noise: Double = Self.noiseUnknown) {
        self.priceWeight = min(1, max(0, priceWeight))
        self.noise = max(0, noise)
    }

    /// One interval to be rated.
    public struct Input: Hashable, Sendable {
        public var interval: Interval
        public var carbonIntensity: Double
        public var price: Price?
        public var peak: TariffPeak

        public init(interval: Interval, carbonIntensity: Double, price: Price? = nil, peak: TariffPeak = .unknown) {
            self.interval = interval
            self.carbonIntensity = carbonIntensity
            self.price = price
            self.peak = peak
        }
    }

    public struct Result: Hashable, Sendable {
        /// One per input, `0...1`.
        public let ratings: [Double]
        /// 0 unless every input has a price.
        public let priceWeight: Double
        /// Of the carbon signal in the window: (max - min) / mean.
        public let relativeSpread: Double
    }

    /// - Parameters:
    ///   - window: the look-ahead.
    ///   - trailing: what the last 28 days were, for `.reduce`; prices may be missing.
    public func rate(_ window: [Input], action: SuggestedAction, trailing: [Input] = []) -> Result {
        let known = trailing.reduce(0) { $0 + $1.interval.milliseconds }
        let usesTrailing = action == .reduce && known >= CleanlinessReference.knownMillisecondsMin
        let population = usesTrailing ? trailing + window : window

        let carbon = Score(window.map(\.carbonIntensity), among: population.map { ($0, $0.carbonIntensity) }, noise)
        let prices = window.compactMap(\.price)
        let weight = prices.count == window.count ? priceWeight : 0
        var blend = carbon.scores
        var certainty = carbon.certainty
        if weight > 0 {
            let price = Score(
                prices.map(Self.amount),
                among: population.compactMap { input in input.price.map { (input, Self.amount($0)) } },
                noise)
            blend = zip(price.scores, carbon.scores).map { weight * $0 + (1 - weight) * $1 }
            certainty = weight == 1 ? price.certainty : max(price.certainty, carbon.certainty)
        }
        if !usesTrailing { blend = Self.ranked(blend, window, certainty) }
        return Result(
            ratings: zip(window, blend).map { $0.peak == .criticalPeak ? 1 : $1 }, priceWeight: weight,
            relativeSpread: Distribution(window.map { ($0.carbonIntensity, Self.weight($0)) }).relativeSpread)
    }

    /// The scores of one signal, drawn towards 0.5 where it is flat.
    private struct Score {
        let scores: [Double]
        /// 0 flat .. 1 its spread is above the noise.
        let certainty: Double

        init(_ values: [Double], among population: [(input: Input, value: Double)], _ noise: Double) {
            let distribution = Distribution(population.map { ($0.value, RatingMethod.weight($0.input)) })
            let spread = distribution.relativeSpread
            let certainty = spread == 0 ? 0 : noise == 0 ? 1 : min(1, spread / noise)
            scores = values.map { 0.5 + certainty * (distribution.midRank(of: $0) - 0.5) }
            self.certainty = certainty
        }
    }

    private static func ranked(_ blend: [Double], _ window: [Input], _ certainty: Double) -> [Double] {
        // Rounded, because sums of equal terms in another order may differ in the last bit, and ties must stay ties.
        let rounded = blend.map { ($0 * 1e9).rounded() }
        let distribution = Distribution(zip(rounded, window).map { ($0, weight($1)) })
        return rounded.map { 0.5 + certainty * (distribution.midRank(of: $0) - 0.5) }
    }

    private static func weight(_ input: Input) -> Double { Double(input.interval.milliseconds) }
    private static func amount(_ price: Price) -> Double { Double(price.microsPerKilowattHour) }
}
