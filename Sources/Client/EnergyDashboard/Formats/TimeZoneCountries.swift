internal import Foundation

/// Which country a time zone is of, from the table that comes with the zones: it decides how numbers and dates are written.
struct TimeZoneCountries: Sendable {
    static let shared = TimeZoneCountries(
        table: (try? String(contentsOfFile: "/usr/share/zoneinfo/zone.tab", encoding: .utf8)) ?? "")

    private let countries: [String: String]
    private let firstZones: [String: String]

    /// - Parameter table: lines of country, coordinates and zone, separated by tabs; those with `#` are comments.
    /// - Source: https://data.iana.org/time-zones/tz-how-to.html
    init(table: String) {
        var (countries, firstZones): ([String: String], [String: String]) = ([:], [:])
        for line in table.split(separator: "\n") where !line.hasPrefix("#") {
            let fields = line.split(separator: "\t")
            guard fields.count > 2 else { continue }
            let (country, zone) = (String(fields[0]), String(fields[2]))
            countries[zone] = country
            firstZones[country] = firstZones[country] ?? zone
        }
        (self.countries, self.firstZones) = (countries, firstZones)
    }

    /// ISO 3166, two letters; `nil` where the table does not say.
    func country(of zone: TimeZone) -> String? { countries[zone.identifier] }

    /// That with the most people, by which the table is sorted.
    func firstZone(of country: String) -> String? { firstZones[country] }
}
