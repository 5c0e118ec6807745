internal import EnergyModel
internal import Foundation

/// Numbers, money and times as people of the venue write them: its clocks, its country's marks, the reader's language.
struct Formats: Sendable {
    let language: Language
    let timeZone: TimeZone
    let locale: Locale
    /// Clocks have twelve hours.
    let hasHalfDays: Bool
    /// That a week begins with: 0 is Monday.
    let firstWeekday: Int
    let offsets: ZoneOffsets

    private static let known = Set(Locale.availableIdentifiers)

    init(language: Language, timeZone: TimeZone, country: String? = nil) {
        self.language = language
        self.timeZone = timeZone
        let country = country ?? TimeZoneCountries.shared.country(of: timeZone)
        // Where nobody in the country writes the language, it is written as elsewhere.
        let pair = country.map { "\(language.rawValue)_\($0)" }
        locale = Locale(identifier: pair.flatMap { Self.known.contains($0) ? $0 : nil } ?? language.worldwide)
        hasHalfDays = [.oneToTwelve, .zeroToEleven].contains(locale.hourCycle)
        firstWeekday = country.map { Self.firstWeekday(Locale(identifier: "und_\($0)")) } ?? 0
        offsets = ZoneOffsets.of(timeZone)
    }

    private static func firstWeekday(_ locale: Locale) -> Int {
        switch locale.firstDayOfWeek {
        case .saturday: 5
        case .sunday: 6
        default: 0
        }
    }

    // MARK: Numbers

    func number(_ value: Double, decimals: Int = 0) -> String {
        value.formatted(.number.precision(.fractionLength(decimals)).locale(locale))
    }

    func percent(_ share: Double) -> String {
        share.formatted(.percent.precision(.fractionLength(0)).locale(locale))
    }

    /// Two decimals below 10 kWh, then fewer.
    func energy(_ energy: Energy) -> String {
        let value = energy.kilowattHours
        return number(value, decimals: value.magnitude < 10 ? 2 : value.magnitude < 1_000 ? 1 : 0) + " kWh"
    }

    func power(_ power: Power) -> String { number(Double(power.milliwatts) / 1_000_000, decimals: 1) + " kW" }

    func kilograms(milligrams: Double) -> String {
        let value = milligrams / 1_000_000
        return number(value, decimals: value.magnitude < 10 ? 2 : 1) + " kg"
    }

    /// Which kind of carbon it is, where there are several: these have no sum.
    func kind(_ mass: CarbonMass, among masses: [CarbonMass]) -> String {
        masses.count > 1 ? " (\(language(mass.kind.word)))" : ""
    }

    /// As it stands by itself.
    func title(_ kind: SignalKind) -> String {
        let word = language(kind.word)
        return word.prefix(1).uppercased() + word.dropFirst()
    }

    func intensity(_ grams: Double) -> String { language(.carbonUnit, number(grams)) }

    func money(_ money: Money) -> String { self.money(micros: money.micros, money.currency) }

    /// With the currency's own decimals.
    func money(micros: Int64, _ currency: String) -> String {
        (Decimal(micros) / 1_000_000).formatted(.currency(code: currency).locale(locale))
    }

    /// Of an axis.
    func money(_ value: Double, _ currency: String, decimals: Int) -> String {
        value.formatted(.currency(code: currency).precision(.fractionLength(decimals)).locale(locale))
    }

    /// Of a kilowatt-hour, where cents are too coarse.
    func price(_ price: Price, _ currency: String) -> String {
        money(Double(price.microsPerKilowattHour) / 1_000_000, currency, decimals: 3)
    }
}

extension SignalKind {
    fileprivate var word: Word {
        switch self {
        case .averageDirect: .carbonDirect
        case .averageLifecycle: .carbonLifecycle
        case .marginal: .carbonMarginal
        case .price: .price
        }
    }
}
