/// What the parts of an amount have of it, by the class of their time.
///
/// Nearly always all of it is of one class, which needs no memory of its own: an answer has thousands of records.
struct AmountSplits: Hashable, Sendable {
    /// What an amount is split by: some bits of ``InsightClass/code``.
    enum Axis: CaseIterable {
        case cleanliness, tariff, band

        fileprivate var shift: Int32 {
            switch self {
            case .cleanliness: 0
            case .tariff: 2
            case .band: 5
            }
        }
        /// How many parts the bits can tell.
        fileprivate var count: Int32 { self == .tariff ? 8 : 4 }
        fileprivate var mask: Int32 { (count - 1) << shift }

        /// Of the amounts of all axes, which stand behind each other.
        fileprivate func place(_ code: Int32) -> Int {
            let first: Int32 =
                switch self {
                case .cleanliness: 0
                case .tariff: 4
                case .band: 12
                }
            return Int(first + (code & mask) >> shift)
        }
    }

    private static let places = 16

    /// The bits of the axes that are asked for.
    private var mask: Int32 = 0
    /// The class of all of the amount; 0 while that is zero, and where there are several.
    private var whole: Int32 = 0
    /// By place.
    private var several: [InsightAmount]?

    /// The same amounts are always kept alike.
    init(
        of total: InsightAmount, byCleanliness: [Cleanliness: InsightAmount]?, byTariff: [TariffPeak: InsightAmount]?,
        byBand: [RatingBand: InsightAmount]?
    ) {
        guard byCleanliness != nil || byTariff != nil || byBand != nil else { return }
        var amounts = Self.nothing
        take(byCleanliness, .cleanliness, &amounts) { InsightClass(cleanliness: $0, peak: .unknown) }
        take(byTariff, .tariff, &amounts) { InsightClass(cleanliness: .unknown, peak: $0) }
        take(byBand, .band, &amounts) { InsightClass(cleanliness: .unknown, peak: .unknown, band: $0) }
        if let code = code(ofAll: total, amounts) { whole = code } else { several = amounts }
    }

    /// `nil` unless asked for; a part without energy and run time is absent.
    func amounts<Part: Hashable>(
        of total: InsightAmount, by axis: Axis, _ part: (InsightClass) -> Part
    ) -> [Part: InsightAmount]? {
        guard mask & axis.mask != 0 else { return nil }
        guard let several else { return total == .zero ? [:] : [part(InsightClass(code: whole)): total] }
        return (0..<axis.count).reduce(into: [:]) { parts, number in
            let code = number << axis.shift
            let amount = several[axis.place(code)]
            if amount != .zero { parts[part(InsightClass(code: code)), default: .zero] += amount }
        }
    }

    /// - Parameters:
    ///   - amount: not zero.
    ///   - total: before the amount is added.
    @inline(__always)
    mutating func add(_ amount: InsightAmount, _ item: InsightClass, to total: InsightAmount) {
        let code = item.code & mask
        guard several == nil, code == whole || total == .zero else { return part(amount, code, of: total) }
        whole = code
    }

    private mutating func part(_ amount: InsightAmount, _ code: Int32, of total: InsightAmount) {
        var amounts = several ?? Self.nothing
        // Let go of, so that they are changed in place.
        if several == nil { put(total, whole, &amounts) } else { several = nil }
        put(amount, code, &amounts)
        (several, whole) = (amounts, 0)
    }

    private static var nothing: [InsightAmount] { [InsightAmount](repeating: .zero, count: places) }

    private func put(_ amount: InsightAmount, _ code: Int32, _ amounts: inout [InsightAmount]) {
        for axis in Axis.allCases where mask & axis.mask != 0 { amounts[axis.place(code)] += amount }
    }

    private mutating func take<Part>(
        _ parts: [Part: InsightAmount]?, _ axis: Axis, _ amounts: inout [InsightAmount], _ item: (Part) -> InsightClass
    ) {
        guard let parts else { return }
        mask |= axis.mask
        for (part, amount) in parts { amounts[axis.place(item(part).code)] += amount }
    }

    /// - Returns: `nil` where parts differ, or are not the whole.
    private func code(ofAll total: InsightAmount, _ amounts: [InsightAmount]) -> Int32? {
        guard total != .zero else { return amounts.allSatisfy { $0 == .zero } ? 0 : nil }
        var whole: Int32 = 0
        for axis in Axis.allCases where mask & axis.mask != 0 {
            let codes = (0..<axis.count).map { $0 << axis.shift }.filter { amounts[axis.place($0)] != .zero }
            guard codes.count == 1, amounts[axis.place(codes[0])] == total else { return nil }
            whole |= codes[0]
        }
        return whole
    }
}
