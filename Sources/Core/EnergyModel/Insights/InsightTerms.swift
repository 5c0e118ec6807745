/// What a moment was worth at one venue, as it was known: classes, prices, carbon intensity.
public struct InsightTerms: Hashable, Sendable {
    /// Of energy from the grid; its currency is that of ``importPriceMicros``.
    public let imported: InsightClass
    /// Of energy to the grid; its currency is that of ``exportPriceMicros``.
    public let exported: InsightClass
    /// Millionths of the currency unit per kWh; 0 where the class has no price.
    public let importPriceMicros: Int64
    public let exportPriceMicros: Int64
    /// mgCO2eq/kWh, `0...100_000_000`; 0 where the class has no kind of carbon.
    public let carbonMilligramsPerKilowattHour: Int64

    public static let unknown = InsightTerms(
        imported: .unknown, exported: .unknown, importPriceMicros: 0, exportPriceMicros: 0,
        carbonMilligramsPerKilowattHour: 0)

    public init(
        imported: InsightClass, exported: InsightClass, importPriceMicros: Int64, exportPriceMicros: Int64,
        carbonMilligramsPerKilowattHour: Int64
    ) {
        self.imported = imported
        self.exported = exported
        self.importPriceMicros = importPriceMicros
        self.exportPriceMicros = exportPriceMicros
        self.carbonMilligramsPerKilowattHour = carbonMilligramsPerKilowattHour
    }

    /// What is usual only, ``SignalInterval/isUsual``, says nothing of that time: it is unknown.
    ///
    /// - Parameter band: as guidance rates it, by usual values too where it has no others.
    public init(_ signal: SignalInterval, band: RatingBand = .unknown) {
        let carbon =
            signal.isUsual
            ? nil : signal.carbonIntensity.flatMap { $0.isFinite ? min(max(0, $0), 100_000) : nil }
        // A critical peak is to be avoided however clean it is.
        let cleanliness = signal.isUsual && signal.peak != .criticalPeak ? .unknown : signal.cleanliness
        func item(_ price: Price?) -> InsightClass {
            InsightClass(
                cleanliness: cleanliness, peak: signal.peak, band: band,
                currency: price == nil ? nil : signal.currency, carbonKind: carbon == nil ? nil : signal.kind)
        }
        let (imported, exported) = (item(signal.price), item(signal.exportPrice))
        self.init(
            imported: imported, exported: exported,
            importPriceMicros: imported.isPriced ? signal.price?.microsPerKilowattHour ?? 0 : 0,
            exportPriceMicros: exported.isPriced ? signal.exportPrice?.microsPerKilowattHour ?? 0 : 0,
            carbonMilligramsPerKilowattHour: Int64(((carbon ?? 0) * 1_000).rounded()))
    }

    public func `class`(_ direction: FlowDirection) -> InsightClass { direction == .imported ? imported : exported }

    public func priceMicros(_ direction: FlowDirection) -> Int64 {
        direction == .imported ? importPriceMicros : exportPriceMicros
    }

    /// Both are the same for energy in this direction.
    func isAlike(_ other: InsightTerms, _ direction: FlowDirection) -> Bool {
        `class`(direction) == other.class(direction) && priceMicros(direction) == other.priceMicros(direction)
            && carbonMilligramsPerKilowattHour == other.carbonMilligramsPerKilowattHour
    }

    /// What the energy of one piece of time adds up to: cost and carbon are rounded once, half away from zero.
    func tally(_ amount: InsightAmount, _ direction: FlowDirection) -> InsightTally {
        InsightTally(
            amount: amount,
            costMicros: Self.millionths(amount.energy.milliwattHours, priceMicros(direction)),
            carbonMilligrams: Self.millionths(amount.energy.milliwattHours, carbonMilligramsPerKilowattHour))
    }

    /// These terms, and of what they do not know what `later` says. What was known once stays; so does a rating, which
    /// ``FrozenDay/rated(as:in:)`` sets anew where it was made of less.
    public func filled(from later: InsightTerms) -> InsightTerms {
        func item(_ own: InsightClass, _ other: InsightClass) -> InsightClass {
            InsightClass(
                cleanliness: own.cleanliness == .unknown ? other.cleanliness : own.cleanliness,
                peak: own.peak == .unknown ? other.peak : own.peak,
                band: own.band == .unknown ? other.band : own.band,
                currency: own.currency ?? other.currency, carbonKind: own.carbonKind ?? other.carbonKind)
        }
        return InsightTerms(
            imported: item(imported, later.imported), exported: item(exported, later.exported),
            importPriceMicros: imported.isPriced ? importPriceMicros : later.importPriceMicros,
            exportPriceMicros: exported.isPriced ? exportPriceMicros : later.exportPriceMicros,
            carbonMilligramsPerKilowattHour: imported.isCarbonKnown
                ? carbonMilligramsPerKilowattHour : later.carbonMilligramsPerKilowattHour)
    }

    /// `later` knows a price, carbon or peak that these terms do not: what ratings are made of.
    func isRatable(less later: InsightTerms) -> Bool {
        let (own, other) = (imported, later.imported)
        return (!own.isPriced && other.isPriced) || (!own.isCarbonKnown && other.isCarbonKnown)
            || (own.peak == .unknown && other.peak != .unknown)
    }

    /// These terms with the rating of `other`, if that has one.
    func rated(as other: InsightTerms) -> InsightTerms {
        InsightTerms(
            imported: imported.rated(as: other.imported.band), exported: exported.rated(as: other.exported.band),
            importPriceMicros: importPriceMicros, exportPriceMicros: exportPriceMicros,
            carbonMilligramsPerKilowattHour: carbonMilligramsPerKilowattHour)
    }

    private static func millionths(_ value: Int64, _ factor: Int64) -> Int64 {
        guard factor != 0 else { return 0 }
        let (product, overflow) = value.multipliedReportingOverflow(by: factor)
        guard !overflow else {
            let wide = Int128(value) * Int128(factor)
            return Int64(clamping: (wide + (wide < 0 ? -500_000 : 500_000)) / 1_000_000)
        }
        let (quotient, remainder) = product.quotientAndRemainder(dividingBy: 1_000_000)
        return remainder.magnitude >= 500_000 ? quotient + product.signum() : quotient
    }
}
