internal import EnergyModel
internal import Foundation

/// One time away from home.
struct Trip: Hashable, Codable {
    /// Unix milliseconds.
    let departure: Int64
    let arrival: Int64
    /// From the battery.
    let energy: Int64
    /// The battery is at most this full afterwards, percent; `nil` leaves it at what the trip used.
    var arrivalPercentMax: Int?
}

/// When a household's car is away: to work on weekdays, errands on Saturdays, sometimes nothing on Sundays.
struct VehicleHabit {
    let seed: UInt64
    let timeZone: TimeZone

    /// The first trip that departs at `point` or later.
    func trip(after point: Timestamp) -> Trip {
        var day = LocalDay(containing: point, in: timeZone)
        while true {
            if let trip = trip(on: day), trip.departure >= point.unixMilliseconds { return trip }
            day = day.next
        }
    }

    private func trip(on day: LocalDay) -> Trip? {
        var random = SeededRandom(seed: seed, "trip", day.name)
        if day.weekday == 1 && Int.random(in: 0..<10, using: &random) < 4 { return nil }
        let departure: Int
        let minutes: Int
        if day.isWeekend {
            departure = Int.random(in: 570...780, using: &random)
            minutes = Int.random(in: 90...300, using: &random)
        } else {
            departure = Int.random(in: 430...485, using: &random)
            minutes = Int.random(in: 540...660, using: &random)
        }
        // To the second, as people are.
        let seconds = Int64.random(in: 0..<60, using: &random) * 1_000
        let start = day.at(minute: departure).advanced(byMilliseconds: seconds)
        return Trip(
            departure: start.unixMilliseconds,
            arrival: start.unixMilliseconds + Int64(minutes) * .millisecondsPerMinute + seconds / 2,
            energy: .random(in: 9_000_000...24_000_000, using: &random))
    }
}
