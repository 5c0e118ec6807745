extension RatePlan {
    /// The plan with a peak for each zone whose contract names none, by the order of the prices that hold in its season.
    ///
    /// A season is a run of days on which the same zones win. Of one price it is unknown; of two, off-peak and on-peak; of
    /// three, partial-peak between them; of four or more the cheapest is super off-peak, and all between off-peak and
    /// on-peak are partial-peak. A zone whose place differs by season becomes several, one for each, side by side.
    /// Peaks made here are marked as derived; those that the contract names stay.
    ///
    /// - Source: signals.md 6.10.
    public func withDerivedPeaks() -> RatePlan {
        var plan = self
        let needsPeak = zones.map { $0.peak == .unknown || $0.isPeakDerived }
        guard needsPeak.contains(true), priceSource == nil else { return self }
        let survey = ZoneSurvey(zones, hasHolidays: !holidays.isEmpty)
        var winners = [Set<Int>](repeating: [], count: (survey.kindOfDay.max() ?? 0) + 1)
        survey.visit { kind, part in
            // What began on the evening before may belong to the season before.
            if let winner = part.matching.last, zones[winner].isOn(part.today.day) { winners[kind].insert(winner) }
        }
        let orders = winners.map { set in Set(set.map { zones[$0].price }).sorted() }
        plan.zones = zones.enumerated().flatMap { index, zone -> [RateZone] in
            guard needsPeak[index] else { return [zone] }
            let peaks = ZoneSurvey.days.indices.map { day -> TariffPeak? in
                let kind = survey.kindOfDay[day]
                guard zone.isOn(ZoneSurvey.days[day]), winners[kind].contains(index),
                    let rank = orders[kind].firstIndex(of: zone.price)
                else { return nil }
                return Self.peak(rank: rank, of: orders[kind].count)
            }
            return zone.split(by: peaks)
        }
        return plan
    }

    private static func peak(rank: Int, of count: Int) -> TariffPeak {
        switch count {
        case 1: .unknown
        case 2: [.offPeak, .onPeak][rank]
        case 3: [.offPeak, .partialPeak, .onPeak][rank]
        default: rank == 0 ? .superOffPeak : rank == 1 ? .offPeak : rank == count - 1 ? .onPeak : .partialPeak
        }
    }
}

extension RateZone {
    /// One zone for each run of days with the same peak.
    ///
    /// - Parameter peaks: of each day of a leap year; `nil` where it does not matter, because the zone does not win.
    fileprivate func split(by peaks: [TariffPeak?]) -> [RateZone] {
        let distinct = Set(peaks.compactMap(\.self))
        if distinct.count <= 1 { return [withPeak(distinct.first ?? .unknown)] }
        let days = ZoneSurvey.days
        // Days outside the zone's own season end a run; others that do not matter prolong it.
        var runs: [(first: Int, last: Int, peak: TariffPeak)] = []
        var isOpen = false
        for (index, peak) in peaks.enumerated() {
            guard season?.contains(days[index]) ?? true else {
                isOpen = false
                continue
            }
            if isOpen, let run = runs.last, peak == nil || peak == run.peak {
                runs[runs.count - 1].last = index
            } else if let peak {
                runs.append((index, index, peak))
                isOpen = true
            }
        }
        if runs.count > 1, let first = runs.first, let last = runs.last, first.peak == last.peak, first.first == 0,
            last.last == days.count - 1
        {
            runs.removeFirst()
            runs[runs.count - 1].last = first.last
        }
        return runs.map { run in
            var zone = withPeak(run.peak)
            zone.season = Season(first: days[run.first], last: days[run.last])
            return zone
        }
    }

    private func withPeak(_ peak: TariffPeak) -> RateZone {
        var zone = self
        zone.peak = peak
        zone.isPeakDerived = peak != .unknown
        return zone
    }
}
