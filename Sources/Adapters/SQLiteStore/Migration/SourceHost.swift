internal import Foundation

/// The machine that a service's files lie on.
public struct SourceHost: Hashable, Sendable {
    /// For people.
    public let name: String
    /// machine-id(5), which no two hosts share; empty in a container that has none.
    public let machineID: String

    public init(name: String, machineID: String) { (self.name, self.machineID) = (name, machineID) }

    /// This one.
    public static var current: SourceHost {
        let id = (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)) ?? ""
        return SourceHost(
            name: ProcessInfo.processInfo.hostName, machineID: id.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
