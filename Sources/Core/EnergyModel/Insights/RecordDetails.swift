/// What a record has beside its numbers. Never changed, so that records can share it.
@usableFromInline final class RecordDetails: Sendable {
    let deviceID: String?
    let deviceKind: Device.Kind?
    let parts: Parts

    init(_ deviceID: String?, _ deviceKind: Device.Kind?, _ parts: Parts) {
        (self.deviceID, self.deviceKind, self.parts) = (deviceID, deviceKind, parts)
    }

    enum Parts: Sendable {
        /// All of the record is of its class.
        case one
        /// Each class once.
        case several([(key: InsightClass, value: InsightTally)])
        /// By which classes is not known: the record was made elsewhere.
        case stated(Stated)
    }

    /// What a record is split by.
    @usableFromInline struct Axes: OptionSet, Sendable {
        @usableFromInline let rawValue: UInt8

        @usableFromInline init(rawValue: UInt8) { self.rawValue = rawValue }

        static let cleanliness = Axes(rawValue: 1)
        static let tariff = Axes(rawValue: 2)
        static let band = Axes(rawValue: 4)
        /// No axis: that all of it is of devices that measure their energy.
        static let measured = Axes(rawValue: 8)
    }

    struct Stated: Hashable, Sendable {
        static let nothing = Stated(worth: .none, byCleanliness: [:], byTariff: [:], byBand: [:])

        var worth: InsightWorth
        var byCleanliness: [Cleanliness: InsightAmount]
        var byTariff: [TariffPeak: InsightAmount]
        var byBand: [RatingBand: InsightAmount]

        /// Parts without energy and run time are left out.
        init(
            worth: InsightWorth, byCleanliness: [Cleanliness: InsightAmount], byTariff: [TariffPeak: InsightAmount],
            byBand: [RatingBand: InsightAmount]
        ) {
            self.worth = worth
            self.byCleanliness = byCleanliness.filter { $0.value != .zero }
            self.byTariff = byTariff.filter { $0.value != .zero }
            self.byBand = byBand.filter { $0.value != .zero }
        }
    }
}
