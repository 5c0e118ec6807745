internal import EnergyModel
internal import Foundation

/// Numbers, money and times as people of the venue write them: its clocks, its country's marks, the reader's language.
struct Formats: Sendable {
    let language: Language
    let timeZone: TimeZone
    let locale: Locale
    private let offsets: ZoneOffsets

    init(language: Language, timeZone: TimeZone, country: String? = nil) {
        self.language = language
        self.timeZone = timeZone
        let country = country ?? TimeZoneCountries.shared.country(of: timeZone)
        locale = Locale(identifier: language.rawValue + (country.map { "_\($0)" } ?? ""))
        offsets = ZoneOffsets.of(timeZone)
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

    /// Of a kilowatt-hour, where cents are too coarse.
    func price(_ price: Price, _ currency: String) -> String {
        (Decimal(price.microsPerKilowattHour) / 1_000_000)
            .formatted(.currency(code: currency).precision(.fractionLength(3)).locale(locale))
    }

    // MARK: Times

    /// `01:15`, as everywhere in Gridtide: a clock of 24 hours.
    func clock(_ instant: Timestamp) -> String {
        let local = local(instant)
        return "\(two(local.hour)):\(two(local.minuteOfDay % 60))"
    }

    /// `13:00–14:00`
    func span(_ interval: Interval) -> String { "\(clock(interval.start))–\(clock(interval.end))" }

    /// `Mon 13:00–14:00`, the day as of a ``moment(_:seen:)``.
    func span(_ interval: Interval, seen now: Timestamp) -> String {
        "\(moment(interval.start, seen: now))–\(clock(interval.end))"
    }

    func local(_ instant: Timestamp) -> LocalTime {
        LocalTime(instant, offsetMilliseconds: offsets.offsetMilliseconds(at: instant))
    }

    /// `01:15` on the same day, otherwise with the weekday, from a week on with the date.
    func moment(_ instant: Timestamp, seen now: Timestamp) -> String {
        let days = local(instant).day - local(now).day
        if days == 0 { return clock(instant) }
        return (days.magnitude < 7 ? weekday(instant) : shortDate(instant)) + " " + clock(instant)
    }

    func weekday(_ instant: Timestamp) -> String { date(instant, "EEE") }
    func shortDate(_ instant: Timestamp) -> String { date(instant, "d MMM") }
    func longDate(_ instant: Timestamp) -> String { date(instant, "EEEE d MMMM y") }
    func month(_ instant: Timestamp) -> String { date(instant, "MMM") }
    func monthAndYear(_ instant: Timestamp) -> String { date(instant, "MMM y") }
    /// - Parameter number: 1 to 12.
    func month(number: Int) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = locale
        let names = calendar.shortStandaloneMonthSymbols
        return names.indices.contains(number - 1) ? names[number - 1] : "\(number)"
    }

    func longMonth(_ instant: Timestamp) -> String { date(instant, "MMMM y") }
    func year(_ instant: Timestamp) -> String { "\(CivilDate(dayNumber: local(instant).day).components.year)" }

    /// `2026-11-22`, as forms and machines have it.
    func isoDate(_ instant: Timestamp) -> String {
        let (year, month, day) = CivilDate(dayNumber: local(instant).day).components
        return "\(year)-\(two(Int(month)))-\(two(Int(day)))"
    }

    /// `3 h 20 min` in the language's words.
    func length(milliseconds: Int64) -> String {
        let minutes = (max(0, milliseconds) + .millisecondsPerMinute / 2) / .millisecondsPerMinute
        // Of many hours nobody counts the minutes.
        if minutes >= 6_000 { return number(Double(minutes) / 60) + " h" }
        return language.activityWords.length(days: 0, hours: minutes / 60, minutes: minutes % 60)
    }

    private func date(_ instant: Timestamp, _ parts: String) -> String {
        DateTexts.shared.text(instant, parts, locale, timeZone)
    }

    private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
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
