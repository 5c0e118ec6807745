internal import EnergyModel
internal import Foundation

/// Weather as a heat pump meets it in a mild climate: seasons, days and nights, warm and cold spells.
struct OutdoorTemperature {
    let seed: UInt64
    let timeZone: TimeZone

    /// In degrees Celsius.
    func celsius(at point: Timestamp) -> Double {
        let days = Double(point.unixMilliseconds) / Double(Int64.millisecondsPerDay)
        // Coldest around 20 January, which is 19.5 days after the turn of an average year.
        let season = -8 * cos(2 * .pi * (days - 19.5) / 365.2425)
        let hour = point.localHour(in: timeZone)
        let night = -4 * cos(2 * .pi * (hour - 4) / 24)
        return 12 + season + night + spell(days) + noise(Int64(days * 24))
    }

    /// Up to 3 degrees, moving from day to day without steps.
    private func spell(_ days: Double) -> Double {
        let (day, part) = (days.rounded(.down), days - days.rounded(.down))
        func value(_ day: Double) -> Double {
            var random = SeededRandom(seed: seed, "spell", "\(Int64(day))")
            return Double.random(in: -3...3, using: &random)
        }
        return value(day) * (1 - part) + value(day + 1) * part
    }

    private func noise(_ hour: Int64) -> Double {
        var random = SeededRandom(seed: seed, "weather", "\(hour)")
        return Double.random(in: -0.7...0.7, using: &random)
    }
}
