internal import EnergyModel

/// What guidance says of a time, in words.
struct GuidanceWords {
    let guidance: Guidance?
    let formats: Formats

    private var language: Language { formats.language }

    func value(at instant: Timestamp) -> GuidanceValue? {
        guidance?.values.first { $0.interval.contains(instant) }
    }

    /// `Good (0.12)`
    func rating(_ value: GuidanceValue) -> String {
        "\(language(RatingBand(rating: value.rating).word)) (\(formats.number(value.rating, decimals: 2)))"
    }

    func price(_ value: GuidanceValue) -> String? {
        guard let price = value.price, let currency = guidance?.basis.currency else { return nil }
        return language(.perKilowattHour, formats.price(price, currency))
    }

    func carbon(_ value: GuidanceValue) -> String? { value.carbonIntensity.map(formats.intensity) }

    /// All that is known.
    func facts(_ value: GuidanceValue) -> [String] {
        [rating(value), price(value), carbon(value)].compactMap(\.self)
    }

    var heads: [String] { [language(.rating), language(.price), language(.carbon)] }

    /// Of a table, under ``heads``.
    func cells(_ value: GuidanceValue?) -> [String] {
        [value.map(rating), value.flatMap(price), value.flatMap(carbon)].map { $0 ?? "–" }
    }
}
