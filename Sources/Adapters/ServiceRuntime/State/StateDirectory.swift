public import Foundation

/// The folder that a service keeps between starts. One process uses it at a time.
public final class StateDirectory: Sendable {
    public let path: String
    private let lock: Int32

    /// Creates the folder, readable by its owner only, and takes it.
    ///
    /// - Throws: ``StartError`` when it cannot be made or another process has it.
    init(path: String) throws(StartError) {
        self.path = path
        try Self.makeFolder(path)
        let file = "\(path)/lock"
        let writable = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let code = errno
        // What cannot be written can still be locked, if a process was here before.
        lock = writable >= 0 ? writable : open(file, O_RDONLY | O_CLOEXEC)
        guard lock >= 0 else {
            throw StartError("the state directory \(path) cannot be written: \(SystemReason.text(code))")
        }
        // From here on `deinit` closes the file, also when this throws.
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw StartError("another process uses the state directory \(path); set state.directory to another one")
        }
    }

    deinit {
        guard lock >= 0 else { return }
        // A child that is just being spawned has a copy of it, which closing ours would not let go.
        flock(lock, LOCK_UN)
        close(lock)
    }

    /// A file of the folder.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// An identifier that is made once and then stays, for example of the publisher.
    public func identifier(_ name: String) throws(StartError) -> UUID {
        let path = file(name)
        if let text = try? String(contentsOfFile: path, encoding: .utf8) {
            guard let id = UUID(uuidString: text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
                throw StartError("\(path) does not hold a UUID; delete it to get a new one")
            }
            return id
        }
        let id = UUID()
        try DurableFile.write(id.uuidString.lowercased() + "\n", to: path)
        return id
    }

    /// Which start of the process this is.
    struct Epoch {
        let value: UInt64
        /// Why it is not written down: the next start's is larger only if the machine's clock does not go back.
        let problem: StartError?
    }

    /// Larger at each start, whatever the machine's clock does in between, as long as it can be written.
    func nextEpoch(now unixMilliseconds: Int64) -> Epoch {
        let path = file("epoch")
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let last = UInt64(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
        let epoch = max(UInt64(clamping: unixMilliseconds), last < .max ? last + 1 : last)
        do throws(StartError) {
            try DurableFile.write("\(epoch)\n", to: path)
            return Epoch(value: epoch, problem: nil)
        } catch { return Epoch(value: epoch, problem: error) }
    }

    /// Makes the folder and those above it.
    private static func makeFolder(_ path: String) throws(StartError) {
        var folder = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            folder += (folder.isEmpty || folder.hasSuffix("/") ? "" : "/") + part
            guard mkdir(folder, 0o700) != 0 else { continue }
            let code = errno
            // A folder that is there may stand on a read-only disk, which is no matter: that counts where we write.
            if isFolder(folder) { continue }
            let reason = code == EEXIST ? "\(folder) is there and is no directory" : SystemReason.text(code)
            throw StartError("the state directory \(path) cannot be made: \(reason)")
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

/// Why a service cannot start although its configuration is right.
public struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
