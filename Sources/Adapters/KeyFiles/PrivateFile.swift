internal import Foundation

/// Files that only their owner may read, whole after a crash: the new text or the old one.
public enum PrivateFile {
    private static let bytesMax = 1024 * 1024

    /// What a file says, and whether only its owner can know.
    public struct Content: Sendable {
        public let text: String
        private let path: String
        private let mode: mode_t

        fileprivate init(_ text: String, path: String, mode: mode_t) {
            self.text = text
            self.path = path
            self.mode = mode
        }

        /// For a file that turns out to hold a secret.
        ///
        /// - Throws: ``KeyFileError`` with what to do, when other users may read it too.
        public func requirePrivacy() throws(KeyFileError) {
            try requirePrivacy(credentials: ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"])
        }

        /// - Parameter credentials: the folder in which systemd hands them over, with an access list of the service alone: the
        ///   group's bits show that list's mask.
        func requirePrivacy(credentials: String?) throws(KeyFileError) {
            let isCredential = credentials.map { path.hasPrefix("\($0)/") } ?? false
            guard mode & (isCredential ? 0o007 : 0o077) != 0 else { return }
            throw KeyFileError(
                "\(path) holds a secret and other users may read it; allow only its owner: chmod 600 \(path)")
        }

        /// For a file that says who may do what.
        ///
        /// - Throws: ``KeyFileError`` with what to do, when other users may change it, or put another in its place.
        public func requireIntegrity() throws(KeyFileError) {
            guard mode & 0o022 == 0 else {
                throw KeyFileError("\(path) can be changed by other users; allow only its owner: chmod go-w \(path)")
            }
            let folder = URL(filePath: path).deletingLastPathComponent().path
            var status = stat()
            // In a folder like /tmp one can only replace what is one's own.
            guard stat(folder, &status) != 0 || status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0 else {
                throw KeyFileError(
                    "other users may put another file in the place of \(path); allow only its owner: chmod go-w \(folder)"
                )
            }
        }
    }

    /// - Throws: ``KeyFileError`` when it cannot be read.
    public static func read(_ path: String) throws(KeyFileError) -> Content {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw KeyFileError("\(path) cannot be read: \(reason(errno))") }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw KeyFileError("\(path) is no file")
        }
        guard status.st_size <= bytesMax, let data = try? file.readToEnd() ?? Data(),
            let text = String(data: data, encoding: .utf8)
        else { throw KeyFileError("\(path) must be a text file of at most \(bytesMax) bytes") }
        return Content(text, path: path, mode: status.st_mode)
    }

    /// - Parameters:
    ///   - isNew: refuses to replace a file that is there.
    ///   - keepsReaders: a file that is replaced keeps who may read it. Not for secrets.
    public static func write(
        _ text: String, to path: String, isNew: Bool = false, keepsReaders: Bool = false
    ) throws(KeyFileError) {
        let draft = "\(path).\(getpid()).new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw KeyFileError("\(path) cannot be written: \(reason(errno))") }
        var before = stat()
        if keepsReaders, stat(path, &before) == 0 {
            fchmod(descriptor, before.st_mode & 0o777)
            fchown(descriptor, before.st_uid, before.st_gid)
        }
        let bytes = Array(text.utf8)
        let count = Foundation.write(descriptor, bytes, bytes.count)
        var code: Int32 = count == bytes.count ? 0 : count < 0 ? errno : ENOSPC
        if code == 0, fsync(descriptor) != 0 { code = errno }
        close(descriptor)
        if code == 0, (isNew ? link(draft, path) : rename(draft, path)) != 0 { code = errno }
        unlink(draft)
        guard code != EEXIST else {
            throw KeyFileError("\(path) is there already; remove it first if it is to be replaced")
        }
        guard code == 0 else { throw KeyFileError("\(path) cannot be written: \(reason(code))") }
    }

    /// - Throws: ``KeyFileError`` when the folder that the file would be in is not there, before anything is done for it.
    public static func requireFolder(of path: String) throws(KeyFileError) {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw KeyFileError("\(path) cannot be written: there is no folder \(folder)")
        }
    }

    /// Makes the folder and those above it, for their owner only.
    public static func makeFolder(_ path: String) throws(KeyFileError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw KeyFileError("\(path) cannot be made: \(reason(errno))")
        }
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }
}

/// What is wrong with a key file or the list of clients: the file, what it says, and what would be right.
public struct KeyFileError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
