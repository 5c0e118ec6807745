/// What a venue's plans make small: a weighted sum of cost, carbon and rated energy of what is imported.
public struct VenueObjective: Hashable, Sendable {
    public static let weightRange = 0.0...1_000_000

    /// ``weightRange``, of a unit of the contract's currency.
    public let money: Double
    /// ``weightRange``, of a kg CO2.
    public let carbon: Double
    /// ``weightRange``, of a kWh that guidance rates 1, the worst.
    public let rating: Double

    public init(money: Double = 0, carbon: Double = 0, rating: Double = 0) {
        self.money = money
        self.carbon = carbon
        self.rating = rating
    }

    public static let money = VenueObjective(money: 1)
    public static let carbon = VenueObjective(carbon: 1)
    public static let rating = VenueObjective(rating: 1)
    /// Asks for that of the scheduler's settings.
    public static let none = VenueObjective()

    /// Weights out of range, by field.
    public var violations: [RuleViolation] {
        [("money", money), ("carbon", carbon), ("rating", rating)].filter { !(Self.weightRange ~= $0.1) }.map {
            RuleViolation(field: "objective.\($0.0)", rule: "must be 0 to 1,000,000", value: "\($0.1)")
        }
    }
}
