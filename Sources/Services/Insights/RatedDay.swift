internal import EnergyModel

/// What is known of one day on a venue's clocks, with how guidance rates each time among the day.
///
/// Guidance itself is not kept, so that the day is rated as it is known when something is first counted in it: by the
/// method of guidance, with equal weights, among what is known of its 23, 24 or 25 hours.
enum RatedDay {
    /// - Parameter signals: sorted, without overlaps.
    static func timeline(_ signals: [SignalInterval]) -> TermsTimeline {
        let bands = bands(signals)
        var timeline = TermsTimeline()
        for (signal, band) in zip(signals, bands) {
            timeline.append(signal.interval, InsightTerms(signal, band: band))
        }
        return timeline
    }

    private static func bands(_ signals: [SignalInterval]) -> [RatingBand] {
        let hasCarbon = signals.contains { $0.carbonIntensity != nil }
        // Where nobody knows the carbon, all of it is alike.
        func rates(_ signal: SignalInterval) -> Bool {
            hasCarbon ? signal.carbonIntensity != nil : signal.price != nil
        }
        let inputs = signals.filter(rates).map {
            RatingMethod.Input(
                interval: $0.interval, carbonIntensity: $0.carbonIntensity ?? 0, price: $0.price, peak: $0.peak)
        }
        guard !inputs.isEmpty else { return signals.map { _ in .unknown } }
        var ratings = RatingMethod().rate(inputs, action: .shift).ratings[...]
        return signals.map { rates($0) ? ratings.popFirst().map(RatingBand.init(rating:)) ?? .unknown : .unknown }
    }
}
