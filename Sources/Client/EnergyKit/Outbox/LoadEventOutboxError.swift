public import Foundation

/// Why an outbox does not do what it was asked.
public enum LoadEventOutboxError: Error, LocalizedError, Hashable, Sendable {
    /// Another outbox, perhaps of another program, uses the folder.
    case inUse
    /// ``LoadEventOutbox/run()`` was called while it runs.
    case running
    /// As many events wait as may.
    case full
    /// An event that is none of EnergyKit's, or that cannot be written down.
    case unknownEvent

    public var errorDescription: String? {
        switch self {
        case .inUse: "The outbox's folder is in use by another program."
        case .running: "The outbox is being sent already."
        case .full: "The outbox is full: its events have to be submitted first."
        case .unknownEvent: "An outbox takes load and status events of EnergyKit only."
        }
    }
}
