public import EnergyModel
internal import Foundation

/// Writes into the audit log of a service that is stopped what a person does to its state.
///
/// Whoever uses it holds the lock of the state directory: two writers would break the chain. Blocks.
public struct StoppedServiceAudit: ~Copyable {
    private let folder: AuditFolder
    private let act: String
    private let principal: String
    private let number: UInt64
    private var writer: AuditWriter

    /// Writes that something begins; it is on disk when this returns.
    ///
    /// - Parameters:
    ///   - act: the command.
    ///   - state: the service's state directory.
    ///   - details: what it is about. Never a secret.
    /// - Throws: when it cannot be written: then it must not be done.
    public init(
        _ act: String, state: String, details: [String: String], at now: Timestamp
    ) throws(AuditError) {
        // No key can be called so.
        let (folder, principal) = (AuditFolder(state: state), "user:\(NSUserName())")
        var details = details
        details["login"] = Self.login
        var writer = try AuditWriter(folder)
        let number = try writer.append(
            AuditLine(.actionBegins, principal: principal, method: act, details: details), at: now)
        folder.handOver()
        (self.folder, self.act, self.principal, self.number) = (folder, act, principal, number)
        self.writer = writer
    }

    /// Looks whether it could be written, before anything is done; the log stays as it is.
    ///
    /// - Parameter state: the service's state directory.
    /// - Throws: when it is seen already that it could not.
    public static func check(state: String) throws(AuditError) { try AuditFolder(state: state).checkWritable() }

    /// Who logged in, where that is somebody else than who the process runs as: after `sudo` or `su`.
    ///
    /// - Source: proc(5), `/proc/pid/loginuid`, which only the system sets.
    private static var login: String? {
        guard let text = try? String(contentsOfFile: "/proc/self/loginuid", encoding: .utf8),
            let user = uid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)), user != .max, user != geteuid()
        else { return nil }
        return getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
    }

    /// Writes how it ended, and closes the log.
    ///
    /// - Parameters:
    ///   - status: gRPC's name of it, `OK` when it was done.
    ///   - details: what became of it.
    public consuming func end(
        status: String, details: [String: String] = [:], at now: Timestamp
    ) throws(AuditError) {
        var line = AuditLine(
            .actionEnds, principal: principal, method: act, status: status, details: details.isEmpty ? nil : details)
        line.began = number
        _ = try writer.append(line, at: now)
        folder.handOver()
    }
}
