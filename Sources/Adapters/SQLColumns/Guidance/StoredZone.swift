internal import EnergyModel

/// A zone as it stands in the database, whatever becomes of ``RateZone``. What a zone did not have at first may be absent.
struct StoredZone: Codable {
    let priceMicros: Int64
    let peak: TariffPeak
    let weekdays: UInt32
    let months: UInt32
    let startMinute: Int
    let endMinute: Int
    let name: String?
    /// First and last day, `05-01..10-31`.
    let season: String?
    /// Energy in mWh and micros, by turns.
    let tiers: [Int64]?
    let isPeakDerived: Bool?

    private enum CodingKeys: String, CodingKey {
        case priceMicros = "price_micros"
        case peak, weekdays, months
        case startMinute = "start_minute"
        case endMinute = "end_minute"
        case name, season, tiers
        case isPeakDerived = "peak_derived"
    }

    init(_ zone: RateZone) {
        priceMicros = zone.price.microsPerKilowattHour
        peak = zone.peak
        weekdays = zone.weekdays
        months = zone.months
        startMinute = zone.startMinute
        endMinute = zone.endMinute
        name = zone.name.isEmpty ? nil : zone.name
        season = zone.season?.description
        tiers =
            zone.tiers.isEmpty
            ? nil : zone.tiers.flatMap { [$0.above.milliwattHours, $0.price.microsPerKilowattHour] }
        isPeakDerived = zone.isPeakDerived ? true : nil
    }

    func zone() throws(EnergyError) -> RateZone {
        let days = season.flatMap(Season.init(text:))
        let numbers = tiers ?? []
        guard (days == nil) == (season == nil), numbers.count % 2 == 0 else { throw .damaged("zones") }
        return RateZone(
            name: name ?? "", price: Price(microsPerKilowattHour: priceMicros),
            tiers: stride(from: 0, to: numbers.count, by: 2).map {
                RateTier(
                    above: Energy(milliwattHours: numbers[$0]), price: Price(microsPerKilowattHour: numbers[$0 + 1]))
            },
            peak: peak, isPeakDerived: isPeakDerived ?? false, weekdays: weekdays, months: months, season: days,
            startMinute: startMinute, endMinute: endMinute)
    }
}
