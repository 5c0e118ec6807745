internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// One file of an outbox.
struct OutboxEntry: Hashable {
    /// Sorts as the entries were added.
    let sequence: UInt64
    let eventCount: Int

    /// The count is in the name, so that starting needs no file opened.
    var name: String {
        let digits = String(sequence)
        return String(repeating: "0", count: 20 - digits.count) + digits + "-\(eventCount).json"
    }

    init(sequence: UInt64, eventCount: Int) {
        self.sequence = sequence
        self.eventCount = eventCount
    }

    init?(name: String) {
        guard name.hasSuffix(".json") else { return nil }
        let parts = name.dropLast(5).split(separator: "-")
        guard parts.count == 2, let sequence = UInt64(parts[0]), let count = Int(parts[1]), count > 0 else {
            return nil
        }
        self.init(sequence: sequence, eventCount: count)
    }
}

/// The files of an outbox. A file is there whole or not at all, and when `write` returns it is there also after a loss of
/// power.
final class OutboxFolder {
    private let url: URL
    private let refused: URL
    private let lock: Int32
    private var nextSequence: UInt64 = 1

    init(_ url: URL) throws {
        self.url = url
        refused = url.appending(path: "refused")
        try FileManager.default.createDirectory(
            at: refused, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        lock = open(url.appending(path: "lock").path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw Self.error(url) }
        // From here on `deinit` closes the file, also when this throws.
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { throw LoadEventOutboxError.inUse }
    }

    /// Releases the lock.
    deinit { if lock >= 0 { close(lock) } }

    /// In the order in which they were added.
    func entries() throws -> [OutboxEntry] {
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        // Written to when the program was stopped: `add` has not returned.
        for name in names where name.hasSuffix(".new") {
            try FileManager.default.removeItem(at: url.appending(path: name))
        }
        let entries = names.compactMap(OutboxEntry.init(name:)).sorted { $0.sequence < $1.sequence }
        nextSequence = (entries.last?.sequence ?? 0) &+ 1
        return entries
    }

    func write(_ batch: StoredBatch) throws -> OutboxEntry {
        let data: Data
        do { data = try Self.encoder.encode(batch) } catch { throw LoadEventOutboxError.unknownEvent }
        let entry = OutboxEntry(sequence: nextSequence, eventCount: batch.events.count)
        let file = url.appending(path: entry.name)
        let draft = url.appending(path: "\(entry.name).new")
        do {
            try Self.write(data, to: draft)
            guard rename(draft.path, file.path) == 0 else { throw Self.error(file) }
            try synchronize()
        } catch {
            // Half a file must not be found later, nor a whole one whose caller was told that it failed.
            unlink(draft.path)
            unlink(file.path)
            throw error
        }
        nextSequence &+= 1
        return entry
    }

    /// `nil` when the file is not what was written.
    func read(_ entry: OutboxEntry) -> StoredBatch? {
        guard let data = FileManager.default.contents(atPath: url.appending(path: entry.name).path) else { return nil }
        return try? Self.decoder.decode(StoredBatch.self, from: data)
    }

    func remove(_ entry: OutboxEntry) throws {
        let file = url.appending(path: entry.name)
        // Not synchronised: a file that comes back is submitted again, which stores nothing.
        guard unlink(file.path) == 0 || errno == ENOENT else { throw Self.error(file) }
    }

    /// Keeps the newest ``refusedMax``: for people to look at, not for ever.
    func setAside(_ entry: OutboxEntry) throws {
        // Sequences start over when the folder is empty: the time comes first, and orders the files.
        let time = Int64(Date().timeIntervalSince1970 * 1000)
        let target = refused.appending(path: "\(time)-\(entry.name)")
        let file = url.appending(path: entry.name)
        guard rename(file.path, target.path) == 0 || errno == ENOENT else { throw Self.error(file) }
        let names = try FileManager.default.contentsOfDirectory(atPath: refused.path).sorted()
        for name in names.dropLast(Self.refusedMax) { unlink(refused.appending(path: name).path) }
    }

    static let refusedMax = 1_000

    // Not a number is written down too: it is for the service to refuse, and for the caller to be told then.
    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return encoder
    }

    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return decoder
    }

    private static func write(_ data: Data, to file: URL) throws {
        let descriptor = open(file.path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw error(file) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: data)
        try handle.synchronize()
        try handle.close()
    }

    /// Makes names, which stand in the folder, survive a loss of power.
    private func synchronize() throws {
        let descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.error(url) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Self.error(url) }
    }

    private static func error(_ file: URL) -> CocoaError {
        let reason = String(cString: strerror(errno))
        return CocoaError(
            .fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path, NSLocalizedFailureReasonErrorKey: reason])
    }
}
