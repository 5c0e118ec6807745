internal import Foundation

/// Where an audit log lies: files of lines, each named for its first line, and the head beside them.
///
///     audit-000000000001.jsonl
///     audit-000000031874.jsonl
///     head
///
/// What the head says stands also beside the folder, so that a folder that was removed whole is missed.
struct AuditFolder: Sendable {
    static let name = "audit"

    let path: String
    /// The head once more.
    let markPath: String
    private let state: String

    /// - Parameter state: the service's state directory.
    init(state: String) {
        self.state = state
        path = "\(state)/\(Self.name)"
        markPath = "\(state)/last-audit-line"
    }

    var headPath: String { "\(path)/head" }

    func file(from sequence: UInt64) -> String {
        let digits = String(sequence)
        return "\(path)/audit-\(String(repeating: "0", count: max(0, 12 - digits.count)))\(digits).jsonl"
    }

    /// The files of lines with the number of the first line of each, oldest first.
    ///
    /// - Throws: ``AuditError`` when there is no such folder.
    func files() throws(AuditError) -> [(first: UInt64, path: String)] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw AuditError("there is no audit log in \(path)")
        }
        return names.compactMap { name -> (first: UInt64, path: String)? in
            guard name.hasPrefix("audit-"), name.hasSuffix(".jsonl"),
                let first = UInt64(name.dropFirst(6).dropLast(6))
            else { return nil }
            return (first, "\(path)/\(name)")
        }.sorted { $0.first < $1.first }
    }

    var isThere: Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// - Returns: `nil` when there is none that can be read.
    func head() -> AuditHead? { Self.head(in: headPath) }

    /// As ``head()``. It is not flushed: a crash of the machine may leave it behind the lines, never ahead.
    func mark() -> AuditHead? { Self.head(in: markPath) }

    private static func head(in path: String) -> AuditHead? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return AuditHead(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Looks only: makes, mends and writes nothing.
    ///
    /// - Throws: ``AuditError`` when it is seen already that lines could not be appended by this user.
    func checkWritable() throws(AuditError) {
        // One that is missing is made.
        var places = [state]
        if access(path, F_OK) == 0 { places = try [path] + files().suffix(1).map { $0.path } }
        for place in places where access(place, W_OK) != 0 { throw AuditError("\(place) cannot be written", errno) }
    }

    /// For its owner only.
    func make() throws(AuditError) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw AuditError("\(path) cannot be made", errno)
    }

    /// Who writes here while the service is stopped is often root, and the service is not.
    func handOver() {
        var owner = stat()
        guard stat(state, &owner) == 0 else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for file in [path, markPath] + names.map({ "\(path)/\($0)" }) { lchown(file, owner.st_uid, owner.st_gid) }
    }

    /// What stands in a folder, files come and gone, is on disk only after this.
    func flush() {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// Why an audit log cannot be read or written.
public struct AuditError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }

    init(_ what: String, _ code: Int32) {
        let reason =
            switch code {
            case ENOSPC, EDQUOT: "the disk is full"
            case EROFS: "the file system is read-only"
            default: String(cString: strerror(code)).lowercased()
            }
        self.init("\(what): \(reason)")
    }
}
