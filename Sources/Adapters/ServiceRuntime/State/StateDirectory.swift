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
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StartError("the state directory \(path) cannot be made: \(error.localizedDescription)")
        }
        lock = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else {
            throw StartError("the state directory \(path) cannot be written: \(String(cString: strerror(errno)))")
        }
        // From here on `deinit` closes the file, also when this throws.
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw StartError("another process uses the state directory \(path); set state.directory to another one")
        }
    }

    deinit { if lock >= 0 { close(lock) } }

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
        try write(id.uuidString.lowercased() + "\n", to: path)
        return id
    }

    /// Larger at each start, whatever the machine's clock does in between.
    func nextEpoch(now unixMilliseconds: Int64) throws(StartError) -> UInt64 {
        let path = file("epoch")
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let last = UInt64(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
        let epoch = max(UInt64(clamping: unixMilliseconds), last < .max ? last + 1 : last)
        try write("\(epoch)\n", to: path)
        return epoch
    }

    private func write(_ text: String, to path: String) throws(StartError) {
        do { try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) } catch {
            throw StartError("\(path) cannot be written: \(error.localizedDescription)")
        }
    }
}

/// Why a service cannot start although its configuration is right.
public struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
