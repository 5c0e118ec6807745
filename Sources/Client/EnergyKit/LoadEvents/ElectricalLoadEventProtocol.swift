/// What ``EnergyVenue`` `.submitEvents` takes. Conform no types of your own: their events would be refused.
public protocol ElectricalLoadEventProtocol: Decodable, Encodable, Identifiable, Sendable {}
