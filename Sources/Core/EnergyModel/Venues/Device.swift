/// What uses or makes electricity and reports about it.
public struct Device: Hashable, Sendable, Identifiable {
    public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
        case electricVehicle, hvac
        /// Planned only: they report no events.
        case homeBattery, appliance

        /// Those of which there are load events.
        public static let reporting: [Kind] = [.electricVehicle, .hvac]
    }

    /// 1 to 64 bytes of ASCII letters, digits, space, hyphen, apostrophe; first and last a letter or digit.
    public let id: String
    /// 1 to 250 UTF-16 units, already sanitised.
    public let name: String
    public let kind: Kind

    public init(id: String, name: String, kind: Kind) {
        self.id = id
        self.name = name
        self.kind = kind
    }
}
