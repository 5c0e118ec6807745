internal import EnergyModel
internal import EnergyStore
internal import Foundation

/// Tells the file of a service from every other one: those of two hosts have the same path.
///
/// A UUID is made once and kept beside the file. Who copies a state directory copies it too: so the host counts.
enum SourceIdentity {
    /// - Throws: ``EnergyError`` `.unavailable` when it is not there and cannot be made, or cannot be read.
    static func of(_ database: String, on host: SourceHost) throws(EnergyError) -> String {
        let path = database + ".source-id"
        if !FileManager.default.fileExists(atPath: path) { make(path) }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let id = UUID(uuidString: text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { throw EnergyError(.unavailable, "\(path) cannot be read or written by this user, or holds no UUID") }
        // The machine's id itself is not to leave it: machine-id(5).
        var checksum = CRC32()
        Array("\(id) \(host.machineID)".utf8).withUnsafeBytes { checksum.update($0) }
        return "\(id.uuidString.lowercased()) \(checksum.value)"
    }

    /// Whole or not at all, and never in place of one that somebody else has made meanwhile.
    private static func make(_ path: String) {
        let draft = "\(path).\(UUID().uuidString)"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { unlink(draft) }
        let bytes = Array("\(UUID().uuidString.lowercased())\n".utf8)
        let isWritten = write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten else { return }
        FileOwner.handOver(draft, toOwnerOf: URL(filePath: path).deletingLastPathComponent().path)
        // Not every file system has hard links.
        if link(draft, path) != 0, errno != EEXIST { rename(draft, path) }
    }
}
