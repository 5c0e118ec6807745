/// How the grid and the contract classed a moment, and which of its price and carbon intensity are known.
///
/// One number, so that classes are cheap to compare and small at rest. The numbers of the cases are never changed.
public struct InsightClass: Hashable, Sendable {
    /// Up to 24 bits, from the lowest: cleanliness (2), peak (3), band (2), kind of carbon (2), currency (15).
    public let code: Int32

    /// Nothing is known of the moment.
    public static let unknown = InsightClass(code: 0)

    /// - Parameters:
    ///   - currency: ISO 4217, three capital letters; `nil`, or anything else, where the price is unknown.
    ///   - carbonKind: of the carbon intensity; `nil` where it is unknown.
    public init(
        cleanliness: Cleanliness, peak: TariffPeak, band: RatingBand = .unknown, currency: String? = nil,
        carbonKind: SignalKind? = nil
    ) {
        let letters = currency.flatMap(CurrencyCode.init)?.bits ?? 0
        code =
            Self.index(cleanliness, Self.cleanlinesses) | Self.index(peak, Self.peaks) << 2
            | Self.index(band, Self.bands) << 5 | (carbonKind.map { Self.index($0, Self.kinds) } ?? 0) << 7
            | letters << 9
    }

    /// - Parameter code: as ``code`` gave it; what no class has reads as unknown.
    public init(code: Int32) { self.code = code & 0xFF_FFFF }

    public var cleanliness: Cleanliness { Self.cleanlinesses[Int(code & 3)] }
    public var peak: TariffPeak { Self.value(code >> 2 & 7, Self.peaks) ?? .unknown }
    public var band: RatingBand { Self.bands[Int(code >> 5 & 3)] }
    /// `nil` where the carbon intensity is unknown.
    public var carbonKind: SignalKind? {
        switch code >> 7 & 3 {
        case 1: .averageDirect
        case 2: .averageLifecycle
        case 3: .marginal
        default: nil
        }
    }
    /// Of the price; `nil` where it is unknown.
    public var currency: String? { currencyCode?.name }
    var currencyCode: CurrencyCode? { CurrencyCode(bits: code >> 9) }
    public var isPriced: Bool { code >> 9 != 0 }
    public var isCarbonKnown: Bool { code >> 7 & 3 != 0 }
    /// Neither price nor carbon intensity nor class is missing.
    public var isComplete: Bool {
        isPriced && isCarbonKnown && cleanliness != .unknown && peak != .unknown
    }

    /// The same in a time of another rating; unknown changes nothing.
    func rated(as band: RatingBand) -> InsightClass {
        guard band != .unknown else { return self }
        return InsightClass(code: code & ~(3 << 5) | Self.index(band, Self.bands) << 5)
    }

    private static let cleanlinesses: [Cleanliness] = [.unknown, .cleaner, .lessClean, .avoid]
    private static let peaks: [TariffPeak] = [
        .unknown, .superOffPeak, .offPeak, .partialPeak, .onPeak, .criticalPeak,
    ]
    private static let bands: [RatingBand] = [.unknown, .good, .fair, .avoid]
    /// The first stands for none: prices are no carbon.
    private static let kinds: [SignalKind] = [.price, .averageDirect, .averageLifecycle, .marginal]

    private static func index<Value: Equatable>(_ value: Value, _ values: [Value]) -> Int32 {
        Int32(values.firstIndex(of: value) ?? 0)
    }

    private static func value<Value>(_ index: Int32, _ values: [Value]) -> Value? {
        values.indices.contains(Int(index)) ? values[Int(index)] : nil
    }
}
