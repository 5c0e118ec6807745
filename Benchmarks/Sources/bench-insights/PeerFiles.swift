import EnergyModel
import Foundation

/// The raw events, the terms and the calendar, for databases that answer the same questions from them.
struct PeerFiles {
    let household: Household
    let folder: URL

    func write() throws {
        var events = Data("device,session,time_ms,energy_mwh\n".utf8)
        for device in 0..<household.deviceCount {
            for day in 0..<household.days {
                for point in household.events(device, day: day) {
                    events.append(
                        contentsOf:
                            "\(device),\(device * 10_000 + day),\(point.time.unixMilliseconds),\(point.energy)\n".utf8)
                }
            }
        }
        try events.write(to: folder.appending(path: "events.csv"))
        var quarters = Data("quarter,price,carbon_mg,cleanliness,peak,hour,day,month\n".utf8)
        let first = Household.start.advanced(byMilliseconds: -.millisecondsPerDay)
        let grids = [Granularity.hourly, .daily, .monthly].map { CalendarPeriods($0, timeZone: Household.timeZone) }
        for index in 0..<Int64(household.days + 3) * 96 {
            let start = first.advanced(byMilliseconds: index * Household.quarter)
            let terms = Household.terms(start.floored(toMilliseconds: .millisecondsPerHour))
            let carbon = Int64(((terms.carbonIntensity ?? 0) * 1_000).rounded())
            let periods = grids.map { "\($0.period(containing: start).start.unixMilliseconds)" }.joined(separator: ",")
            quarters.append(
                contentsOf:
                    """
                    \(start.unixMilliseconds / Household.quarter),\(terms.price?.microsPerKilowattHour ?? 0),\(carbon),\
                    \(terms.cleanliness.rawValue),\(terms.peak.rawValue),\(periods)

                    """.utf8)
        }
        try quarters.write(to: folder.appending(path: "quarters.csv"))
    }
}
