internal import EnergyModel
internal import EnergyPlanning
internal import EnergyStore
internal import Foundation

extension VenueSettings {
    /// With what was set of the venue by request.
    func with(_ setup: VenueSetup?) -> VenueSettings {
        var settings = self
        settings.forecast = setup?.forecast
        if let objective = setup?.objective {
            settings.objective = PlanObjective(
                money: objective.money, carbon: objective.carbon, rating: objective.rating)
        }
        guard let limits = setup?.limits else { return settings }
        settings.limits = PlanLimits(limits)
        settings.baseLoad = limits.baseLoad.isEmpty ? [0, 0, 0] : limits.baseLoad.map(\.kilowatts)
        settings.exportPrice = Double(limits.exportPrice.microsPerKilowattHour) / 1_000_000
        return settings
    }

    /// What these settings say, in the form of a request.
    func asked(of venueID: UUID) -> VenueLimits {
        VenueLimits(
            limits, of: venueID, baseLoad: baseLoad, exportPrice: exportPrice, isDefault: true,
            objective: VenueObjective(money: objective.money, carbon: objective.carbon, rating: objective.rating))
    }

    /// kW of what is not planned, on each phase; the forecast's mean, where it says one.
    func baseLoad(in interval: Interval) -> [Double] {
        let (known, milliseconds) = Self.sum(forecast?.baseLoad ?? [], interval)
        guard milliseconds > 0 else { return baseLoad }
        let share = Double(milliseconds) / Double(interval.milliseconds)
        return baseLoad.map { known / 3 + $0 * (1 - share) }
    }

    /// Mean kW of photovoltaics.
    func photovoltaics(in interval: Interval) -> Double { Self.sum(forecast?.photovoltaics ?? [], interval).kilowatts }

    /// When what is expected changes: the mean of a longer time would promise room that is not there, and sun. Of the nearest
    /// only: the far is planned again when it is near.
    func forecastEdges(in window: Interval) -> [Timestamp] {
        func edges(_ values: [VenueForecast.Value]) -> [Timestamp] {
            var edges: [Timestamp] = []
            for (index, value) in values.enumerated() {
                let last = index > 0 ? values[index - 1] : nil
                if last?.interval.end != value.interval.start || last?.power != value.power {
                    edges.append(value.interval.start)
                }
                let next = index + 1 < values.count ? values[index + 1] : nil
                if next?.interval.start != value.interval.end { edges.append(value.interval.end) }
            }
            return edges.filter { window.start < $0 && $0 < window.end }
        }
        let all = Set(edges(forecast?.photovoltaics ?? []) + edges(forecast?.baseLoad ?? []))
        return Array(all.sorted().prefix(Self.forecastEdgesMax))
    }

    private static let forecastEdgesMax = 200

    /// - Returns: mean kW over all of `interval`, what is not known counting as 0, and how much of it is known.
    private static func sum(
        _ values: [VenueForecast.Value], _ interval: Interval
    ) -> (kilowatts: Double, milliseconds: Int64) {
        var (low, high) = (0, values.count)
        while low < high {
            let middle = (low + high) / 2
            if values[middle].interval.end <= interval.start { low = middle + 1 } else { high = middle }
        }
        var (sum, milliseconds) = (0.0, Int64(0))
        for value in values[low...] {
            guard let part = value.interval.intersection(interval) else { break }
            sum += value.power.kilowatts * Double(part.milliseconds)
            milliseconds += part.milliseconds
        }
        return (sum / Double(interval.milliseconds), milliseconds)
    }
}
