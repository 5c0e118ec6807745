import EnergyModel
import Foundation
import InsightFiles

/// What files are made of in tests.
enum Files {
    static let berlin = TimeZone(identifier: "Europe/Berlin")!
    static let written = time("2026-11-21T07:20:00Z")

    static func time(_ text: String) -> Timestamp { Timestamp(try! Date(text, strategy: .iso8601)) }

    static func subject(
        _ granularity: Granularity = .hourly, zone: TimeZone = berlin, name: String = "Home", device: String? = nil,
        grouping: InsightGrouping = .venue, range: (String, String) = ("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"),
        splits: Bool = false
    ) -> InsightFileSubject {
        let id = UUID(uuidString: "01020304-0506-4008-800a-0b0c0d0e0f01")!
        return InsightFileSubject(
            venue: Venue(id: id, name: name, timeZone: zone, region: "DE", changed: written),
            query: InsightQuery(
                venueID: id, deviceID: device, grouping: grouping,
                range: Interval(start: time(range.0), end: time(range.1))!, granularity: granularity,
                byCleanliness: splits, byTariff: splits, byBand: splits, exactRange: true),
            written: written)
    }

    static func amount(_ milliwattHours: Int64, _ milliseconds: Int64 = 1_800_000) -> InsightAmount {
        InsightAmount(energy: Energy(milliwattHours: milliwattHours), runtimeMilliseconds: milliseconds)
    }

    static func worth(_ energy: Int64, micros: Int64, milligrams: Int64) -> InsightWorth {
        InsightWorth(
            costs: [Money(micros: micros, currency: "EUR")], pricedEnergy: Energy(milliwattHours: energy),
            carbon: [
                CarbonMass(milligrams: milligrams, kind: .averageDirect, energy: Energy(milliwattHours: energy))
            ])
    }

    /// A record of each period that touches the range; the energy of each is another number of mWh.
    static func records(_ subject: InsightFileSubject, device: String? = nil) -> [InsightRecord] {
        let periods = CalendarPeriods(subject.query.granularity, timeZone: subject.venue.timeZone)
        var (records, point) = ([InsightRecord](), subject.query.range.start)
        while point < subject.query.range.end {
            let period = periods.period(containing: point)
            let energy = 1_234_567 + Int64(records.count)
            let (part, rest) = (amount(energy / 3, 600_000), amount(energy - energy / 3, 1_200_000))
            records.append(
                InsightRecord(
                    interval: period, deviceID: device, deviceKind: device.map { _ in .electricVehicle },
                    total: part + rest, worth: worth(energy, micros: energy / 4, milligrams: energy / 3),
                    byCleanliness: subject.query.byCleanliness ? [.cleaner: part, .avoid: rest] : nil,
                    byTariff: subject.query.byTariff ? [.offPeak: part, .onPeak: rest] : nil,
                    byBand: subject.query.byBand ? [.good: part, .unknown: rest] : nil))
            point = period.end
        }
        return records
    }
}
