/// What the parts of an amount have of it. Nearly always one part has all of it, which needs no memory of its own.
enum AmountSplit<Part: Hashable & Sendable>: Hashable, Sendable {
    case none
    case whole(Part)
    indirect case several([Part: InsightAmount])

    /// The same amounts always make the same case.
    init(_ amounts: [Part: InsightAmount], of total: InsightAmount) {
        if amounts.isEmpty {
            self = .none
        } else if let (part, amount) = amounts.first, amounts.count == 1, amount == total {
            self = .whole(part)
        } else {
            self = .several(amounts)
        }
    }

    func amounts(of total: InsightAmount) -> [Part: InsightAmount] {
        switch self {
        case .none: [:]
        case .whole(let part): [part: total]
        case .several(let amounts): amounts
        }
    }

    /// - Parameters:
    ///   - amount: not zero.
    ///   - total: before the amount is added.
    mutating func add(_ amount: InsightAmount, _ part: Part, to total: InsightAmount) {
        switch self {
        case .none: self = .whole(part)
        case .whole(part): break
        case .whole, .several:
            var amounts = amounts(of: total)
            amounts[part, default: .zero] += amount
            self = .several(amounts)
        }
    }
}
