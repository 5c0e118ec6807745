public import EnergyModel
public import Foundation

/// The topics of the contract. Each ends with `/`, so that no name is the prefix of another.
public enum Topics {
    public static let allGuidance = "guidance/"
    public static let allEvents = "events/"
    public static let allInsights = "insights/"
    public static let allSchedules = "schedule/"

    public static func guidance(venueID: UUID, action: SuggestedAction) -> String {
        guidance(venueID: venueID) + "\(action.rawValue)/"
    }
    public static func guidance(venueID: UUID) -> String { "guidance/\(text(venueID))/" }

    public static func events(venueID: UUID, deviceID: String) -> String {
        events(venueID: venueID) + "\(escaped(deviceID))/"
    }
    public static func events(venueID: UUID) -> String { "events/\(text(venueID))/" }

    public static func insights(venueID: UUID, deviceID: String) -> String {
        "insights/\(text(venueID))/\(escaped(deviceID))/"
    }

    public static func schedule(venueID: UUID, deviceID: String) -> String {
        "schedule/\(text(venueID))/\(escaped(deviceID))/"
    }

    /// Whether what is published there is of the subject.
    public static func isTopic(_ topic: String, of subject: DataSubject) -> Bool {
        let parts = topic.split(separator: "/")
        guard parts.count > 2, parts[1] == text(subject.venueID) else { return false }
        return subject.deviceID.map { parts[0] != "guidance" && parts[2] == escaped($0) } ?? true
    }

    /// What is published there is of this venue; `nil` where it is of none.
    public static func venueID(of topic: String) -> UUID? {
        topic.split(separator: "/").dropFirst().first.flatMap { UUID(uuidString: String($0)) }
    }

    /// UUIDs in topics are lower case.
    private static func text(_ id: UUID) -> String { id.uuidString.lowercased() }

    /// A device id holds no `/`; the space is the one character that shells and logs dislike.
    private static func escaped(_ deviceID: String) -> String { deviceID.replacing(" ", with: "_") }
}
