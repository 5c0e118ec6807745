/// Turns carbon intensity and price into ratings, 0 best .. 1 worst.
///
/// 1. Each signal is scored by its mid-rank: the share of the time that is better, plus half of the time that is equal.
///    Ranks decide what following guidance saves, and a price spike of 9,000 flattens nothing.
/// 2. A signal that hardly changes says little: its scores are drawn towards 0.5 by `spread / noise`. Noise is what
///    forecasts of the signal have been off by on average, in its unit, so that neither another unit nor another zero
///    changes a rating; until that is known, and for prices, it is 5 % of the mean size.
/// 3. The scores are blended: `w * price + (1 - w) * carbon`. An interval without a price keeps its carbon score.
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
    public static let name = "mid-rank-blend/3"

    /// 0 carbon only .. 1 price only; of the intervals whose price is known.
    public var priceWeight: Double
    /// What forecasts of the carbon signal have been off by on average, g/kWh; `nil` while it is not known.
    public var carbonNoise: Double?

    /// Equal weights keep more than 90 % of what either signal alone would save (signals.md 5.5).
    public init(priceWeight: Double = 0.5, carbonNoise: Double? = nil) {
        self.priceWeight = min(1, max(0, priceWeight))
        self.carbonNoise = carbonNoise
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
        /// 0 unless some input has a price.
        public let priceWeight: Double
        /// Of the carbon signal in the window: (max - min) / mean.
        public let relativeSpread: Double
        /// The same of the price; 0 unless it counts.
        public let priceRelativeSpread: Double
        /// 0 all is flat, so that the ratings are near 0.5 .. 1 something differs by more than the noise.
        public let certainty: Double
    }

    /// The carbon signal of a region, as all its venues are rated by it.
    public struct Carbon: Sendable {
        fileprivate let scale: SignalScale
        fileprivate let relativeSpread: Double
        /// Older values count too, so that ratings can be compared from day to day.
        public let usesTrailing: Bool
        /// Differences below this are noise, g/kWh.
        public var noise: Double { scale.noise }

        /// - Parameters:
        ///   - window: the look-ahead.
        ///   - trailing: what the last 28 days were, for `.reduce`.
        public init(
            window: some Sequence<(interval: Interval, value: Double)>,
            trailing: some Sequence<(interval: Interval, value: Double)>, action: SuggestedAction, noise: Double?
        ) {
            func samples(_ values: some Sequence<(interval: Interval, value: Double)>) -> [(
                value: Double, weight: Double
            )] {
                values.map { ($0.value, Double($0.interval.milliseconds)) }
            }
            let known = trailing.reduce(0) { $0 + $1.interval.milliseconds }
            usesTrailing = action == .reduce && known >= CleanlinessReference.knownMillisecondsMin
            let ahead = Distribution(samples(window))
            relativeSpread = ahead.relativeSpread
            scale = SignalScale(usesTrailing ? Distribution(samples(trailing) + samples(window)) : ahead, noise: noise)
        }
    }

    /// - Parameters:
    ///   - window: the look-ahead.
    ///   - trailing: what the last 28 days were, for `.reduce`; prices may be missing.
    public func rate(_ window: [Input], action: SuggestedAction, trailing: [Input] = []) -> Result {
        let carbon = Carbon(
            window: window.lazy.map { ($0.interval, $0.carbonIntensity) },
            trailing: trailing.lazy.map { ($0.interval, $0.carbonIntensity) }, action: action, noise: carbonNoise)
        return rate(window, carbon, Self.priceScale((carbon.usesTrailing ? trailing : []) + window))
    }

    /// What prices are judged against; older ones count for `.reduce`.
    public static func priceScale(_ prices: some Sequence<(interval: Interval, price: Price?)>) -> SignalScale {
        SignalScale(
            Distribution(
                prices.compactMap { interval, price in
                    price.map { (amount($0), Double(interval.milliseconds)) }
                }))
    }

    private static func priceScale(_ inputs: [Input]) -> SignalScale {
        priceScale(inputs.lazy.map { ($0.interval, $0.price) })
    }

    /// Rates a window by scales that others may share.
    public func rate(_ window: [Input], _ carbon: Carbon, _ price: SignalScale) -> Result {
        let weight = window.contains { $0.price != nil } ? priceWeight : 0
        var blend = window.map { carbon.scale.score($0.carbonIntensity) }
        var certainty = carbon.scale.certainty
        if weight > 0 {
            blend = zip(window, blend).map { input, carbon in
                // An unknown price is neither cheap nor dear.
                guard let known = input.price else { return carbon }
                return weight * price.score(Self.amount(known)) + (1 - weight) * carbon
            }
            certainty = weight == 1 ? price.certainty : max(price.certainty, carbon.scale.certainty)
        }
        if !carbon.usesTrailing { blend = Self.ranked(blend, window, certainty) }
        return Result(
            ratings: zip(window, blend).map { $0.peak == .criticalPeak ? 1 : $1 }, priceWeight: weight,
            relativeSpread: carbon.relativeSpread, priceRelativeSpread: weight > 0 ? Self.spread(of: window) : 0,
            certainty: certainty)
    }

    private static func ranked(_ blend: [Double], _ window: [Input], _ certainty: Double) -> [Double] {
        // Rounded, because sums of equal terms in another order may differ in the last bit, and ties must stay ties.
        let rounded = blend.map { ($0 * 1e9).rounded() }
        let distribution = Distribution(zip(rounded, window).map { ($0, weight($1)) })
        return rounded.map { 0.5 + certainty * (distribution.midRank(of: $0) - 0.5) }
    }

    private static func spread(of window: [Input]) -> Double {
        priceScale(window).relativeSpread
    }

    private static func weight(_ input: Input) -> Double { Double(input.interval.milliseconds) }
    private static func amount(_ price: Price) -> Double { Double(price.microsPerKilowattHour) }
}
