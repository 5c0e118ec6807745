public import Foundation

/// What is wrong with a configuration: where it stands, what it says, and what would be right.
public struct EnergyKitConfigurationError: Error, LocalizedError, Hashable, Sendable {
    public let message: String

    init(_ message: String) { self.message = message }

    public var errorDescription: String? { message }
}
