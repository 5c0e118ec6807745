extension [SignalInterval] {
    /// Whether price, carbon and class are known all the time; what is usual is not known.
    public func isComplete(in interval: Interval) -> Bool {
        var reached = interval.start
        for part in self where part.interval.end > reached {
            guard part.interval.start <= reached, part.isCarbonKnown, part.price != nil,
                part.cleanliness != .unknown
            else { return false }
            reached = part.interval.end
        }
        return reached >= interval.end
    }

    /// What is not known here, as `later` says it; what is known stays. Both are sorted and without overlaps, and so is
    /// the result.
    public func filled(from later: [SignalInterval]) -> [SignalInterval] {
        let edges = Set((self + later).flatMap { [$0.interval.start, $0.interval.end] }).sorted()
        var (known, later) = (self[...], later[...])
        return zip(edges, edges.dropFirst()).compactMap { start, end in
            while let first = known.first, first.interval.end <= start { known.removeFirst() }
            while let first = later.first, first.interval.end <= start { later.removeFirst() }
            guard let part = Interval(start: start, end: end) else { return nil }
            let now = known.first.flatMap { $0.interval.contains(start) ? $0 : nil }
            let then = later.first.flatMap { $0.interval.contains(start) ? $0 : nil }
            guard let whole = now ?? then else { return nil }
            return whole.filled(from: then ?? whole, over: part)
        }
    }
}

extension SignalInterval {
    fileprivate var isCarbonKnown: Bool { carbonIntensity != nil && !isUsual }

    fileprivate func filled(from later: SignalInterval, over part: Interval) -> SignalInterval {
        // A usual value stands in until something is known.
        let takesCarbon = carbonIntensity == nil || (isUsual && later.isCarbonKnown)
        let carbon = takesCarbon ? later : self
        let takesClass = cleanliness == .unknown || (isUsual && takesCarbon && peak != .criticalPeak)
        let price = price == nil ? later : self
        return SignalInterval(
            interval: part, carbonIntensity: carbon.carbonIntensity, kind: carbon.kind, price: price.price,
            currency: price.currency, cleanliness: takesClass ? later.cleanliness : cleanliness,
            peak: peak == .unknown ? later.peak : peak, isEstimated: carbon.isEstimated, source: carbon.source,
            isPeakDerived: peak == .unknown ? later.isPeakDerived : isPeakDerived,
            exportPrice: exportPrice ?? later.exportPrice, isUsual: carbon.isUsual)
    }
}
