internal import EnergyModel
internal import Foundation

/// Appends lines to the newest file of a log. Each is on disk when ``append(_:at:)`` returns.
///
/// Blocks: for one thread of its own.
struct AuditWriter: ~Copyable {
    /// Of one file.
    static let fileBytesMax = 8 << 20
    /// Together at most 128 MiB.
    static let filesMax = 16
    private let folder: AuditFolder
    private let fileBytesMax: Int
    private let filesMax: Int
    private var descriptor: Int32 = -1
    private var headDescriptor: Int32 = -1
    private var markDescriptor: Int32 = -1
    /// Of the newest file.
    private var byteCount = 0
    private(set) var head = AuditHead.empty
    /// What the start has found and done; to be written first.
    private var findings: [AuditLine] = []

    /// Opens the log, or begins one.
    init(
        _ folder: AuditFolder, fileBytesMax: Int = AuditWriter.fileBytesMax, filesMax: Int = AuditWriter.filesMax
    ) throws(AuditError) {
        self.folder = folder
        self.fileBytesMax = fileBytesMax
        self.filesMax = max(2, filesMax)
        let (known, mark) = (folder.head(), folder.mark())
        try folder.make()
        if let newest = try folder.files().last {
            try resume(newest.path, first: newest.first)
        } else {
            try begin(1)
        }
        headDescriptor = open(folder.headPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard headDescriptor >= 0 else { throw AuditError("\(folder.headPath) cannot be opened", errno) }
        markDescriptor = open(folder.markPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard markDescriptor >= 0 else { throw AuditError("\(folder.markPath) cannot be opened", errno) }
        compare(with: known, mark)
    }

    deinit { for opened in [descriptor, headDescriptor, markDescriptor] where opened >= 0 { close(opened) } }

    /// - Returns: the line's number.
    mutating func append(_ line: AuditLine, at now: Timestamp) throws(AuditError) -> UInt64 {
        while let finding = findings.first {
            _ = try write(finding, at: now)
            findings.removeFirst()
        }
        if byteCount >= fileBytesMax { try rotate(at: now) }
        return try write(line, at: now)
    }

    private mutating func write(_ line: AuditLine, at now: Timestamp) throws(AuditError) -> UInt64 {
        var line = line
        line.sequence = head.sequence + 1
        line.timeUnixMs = now.unixMilliseconds
        line.previous = head.hash
        let text = line.encoded()
        let bytes = text + [UInt8(ascii: "\n")]
        let count = pwrite(descriptor, bytes, bytes.count, off_t(byteCount))
        var code: Int32 = count == bytes.count ? 0 : count < 0 ? errno : ENOSPC
        if code == 0, fdatasync(descriptor) != 0 { code = errno }
        guard code == 0 else {
            // A part of it may be there. What follows is written over it, or removed by the next start.
            ftruncate(descriptor, off_t(byteCount))
            throw AuditError("the audit log cannot be written", code)
        }
        byteCount += bytes.count
        head = AuditHead(sequence: line.sequence, hash: AuditHash.of(text))
        writeHead()
        return line.sequence
    }

    /// In place, within one block of any disk. One that is a line behind is what a crash leaves: not worth a failure.
    private func writeHead() {
        var text = Array("\(head)".utf8)
        text += Array(repeating: UInt8(ascii: " "), count: max(0, 127 - text.count)) + [UInt8(ascii: "\n")]
        if pwrite(headDescriptor, text, text.count, 0) == text.count { fdatasync(headDescriptor) }
        pwrite(markDescriptor, text, text.count, 0)
    }

    // MARK: Files

    private mutating func begin(_ sequence: UInt64) throws(AuditError) {
        let path = folder.file(from: sequence)
        let new = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard new >= 0 else { throw AuditError("\(path) cannot be made", errno) }
        if descriptor >= 0 { close(descriptor) }
        (descriptor, byteCount) = (new, 0)
        folder.flush()
    }

    /// The chain goes on in the next file. What is removed for it is said in a line before it goes.
    private mutating func rotate(at now: Timestamp) throws(AuditError) {
        var files = try folder.files()
        try begin(head.sequence + 1)
        while files.count >= filesMax {
            let (oldest, next) = (files[0], files[1])
            let last = AuditFile(oldest.path).flatMap { $0.lines.last }
            var line = AuditLine(.linesRemoved, principal: AuditLog.itself)
            line.details = [
                "through":
                    "\(AuditHead(sequence: next.first - 1, hash: last.map { AuditHash.of($0) } ?? AuditHash.none))"
            ]
            _ = try write(line, at: now)
            unlink(oldest.path)
            files.removeFirst()
        }
    }

    /// Goes on behind the last whole line of the file.
    private mutating func resume(_ path: String, first: UInt64) throws(AuditError) {
        descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0, let file = AuditFile(path) else { throw AuditError("\(path) cannot be opened", errno) }
        byteCount = file.byteCount - file.rest
        if file.rest > 0 {
            guard ftruncate(descriptor, off_t(byteCount)) == 0 else {
                throw AuditError("\(path) cannot be written", errno)
            }
            findings.append(
                AuditLine(.endRepaired, principal: AuditLog.itself, details: ["bytes": "\(file.rest)"]))
        }
        guard let bytes = file.lines.last else {
            // A crash came between the file and its first line: the one before has the chain.
            head = lastHead(before: first)
            return
        }
        head = AuditHead(sequence: AuditLine(bytes)?.sequence ?? first, hash: AuditHash.of(bytes))
    }

    private func lastHead(before first: UInt64) -> AuditHead {
        guard first > 1, let files = try? folder.files(), let before = files.last(where: { $0.first < first }),
            let bytes = AuditFile(before.path)?.lines.last
        else { return .empty }
        return AuditHead(sequence: first - 1, hash: AuditHash.of(bytes))
    }

    /// A head that is more than a line behind, or before, was not left by us.
    private mutating func compare(with known: AuditHead?, _ mark: AuditHead?) {
        if let mark, mark.sequence > head.sequence || mark.sequence == head.sequence && mark.hash != head.hash {
            return find(mark)
        }
        guard head != known, head.sequence > 0 || known != nil else { return }
        if let known, known.sequence + 1 == head.sequence { return }
        if known == nil, head.sequence <= 1 { return }
        find(known)
    }

    /// The chain goes on from what is there, and keeps what was found.
    private mutating func find(_ known: AuditHead?) {
        findings.append(
            AuditLine(
                .faultFound, principal: AuditLog.itself,
                details: ["head": known.map { "\($0)" } ?? "none", "found": "\(head)"]))
    }
}
