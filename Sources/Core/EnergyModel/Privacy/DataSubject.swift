public import Foundation

/// Whose data: those of a device at a venue, or all of a venue.
public struct DataSubject: Hashable, Sendable {
    public let venueID: UUID
    /// `nil` is the whole venue.
    public let deviceID: String?

    public init(venueID: UUID, deviceID: String? = nil) {
        self.venueID = venueID
        self.deviceID = deviceID
    }

    /// Whether what is of a device of the venue is of the subject.
    public func covers(deviceID: String) -> Bool { self.deviceID == nil || self.deviceID == deviceID }
}

/// Something that a service keeps of a ``DataSubject``.
public struct StoredDocument: Hashable, Sendable {
    /// Where the service keeps it, for example `goal`.
    public let kind: String
    /// A JSON object; its names are the service's own.
    public let json: String

    public init(kind: String, json: String) {
        self.kind = kind
        self.json = json
    }
}
