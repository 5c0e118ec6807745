internal import EnergyModel
internal import Foundation

/// Reads an audit log and names what is not as its service left it. Needs nothing of the service.
public struct AuditVerifier {
    /// Told in words; more are counted.
    private static let faultsMax = 20

    public private(set) var lines = 0
    public private(set) var faultCount = 0
    public private(set) var faults: [String] = []
    /// Lines that the limit has removed: they cannot be checked.
    public private(set) var removed: UInt64 = 0
    /// The newest line.
    public private(set) var head = AuditHead.empty

    private let folder: AuditFolder
    /// What the first kept line must follow, until a line says so.
    private var unexplained: AuditHead?
    private var hashes: [UInt64: String] = [:]
    /// That somebody has written down elsewhere.
    private let remembered: AuditHead?

    /// - Parameters:
    ///   - state: the service's state directory.
    ///   - remembered: a head from the service's own log, or from an earlier look; also that line must be there.
    public init(state: String, remembered: AuditHead? = nil) {
        folder = AuditFolder(state: state)
        self.remembered = remembered
    }

    /// The state directories with an audit log: the folder itself, or those in it.
    ///
    /// - Throws: ``AuditError`` when there is none.
    public static func states(in folder: String) throws(AuditError) -> [String] {
        func isState(_ path: String) -> Bool {
            let folder = AuditFolder(state: path)
            return folder.isThere || folder.mark() != nil
        }
        if isState(folder) { return [folder] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
        let states = names.map { "\(folder)/\($0)" }.filter(isState)
        guard !states.isEmpty else {
            throw AuditError("there is no audit log in \(folder), or this user may not read it")
        }
        return states
    }

    /// Goes through the log from its oldest line.
    ///
    /// - Parameter body: gets each line that is one.
    /// - Throws: ``AuditError`` when it cannot be read.
    public mutating func run(_ body: (AuditLine) -> Void = { _ in }) throws(AuditError) {
        // Before the lines: those that a running service adds meanwhile are then no fault.
        let known = newest(folder.head(), folder.mark())
        guard folder.isThere || known == nil else { return noLines(known) }
        let files = try folder.files()
        guard !files.isEmpty else { return noLines(known) }
        for (index, file) in files.enumerated() {
            let name = URL(filePath: file.path).lastPathComponent
            guard let content = AuditFile(file.path) else { throw AuditError("\(file.path) cannot be read") }
            for (number, bytes) in content.lines.enumerated() {
                check(bytes, "\(name) line \(number + 1)", isFirst: index == 0 && number == 0, body)
            }
            if content.rest > 0, index < files.count - 1 { fault("\(name): its last line is cut off") }
        }
        if let unexplained {
            fault(
                "the log begins with line \(unexplained.sequence + 1), and no line says that those before were removed")
        }
        compare(known, folder.head())
    }

    private mutating func check(
        _ bytes: ArraySlice<UInt8>, _ place: String, isFirst: Bool, _ body: (AuditLine) -> Void
    ) {
        lines += 1
        let hash = AuditHash.of(bytes)
        guard let line = AuditLine(bytes) else {
            fault("\(place): it is no line of an audit log, so line \(head.sequence + 1) was altered")
            head = AuditHead(sequence: head.sequence + 1, hash: hash)
            return
        }
        if isFirst { begin(line) } else { follow(line, place) }
        if line.event == .linesRemoved, let through = line.details?["through"].flatMap({ AuditHead($0) }),
            through == unexplained
        {
            unexplained = nil
        }
        if line.event == .faultFound {
            fault(
                "line \(line.sequence): the service found at a start that the log was not as it had left it: "
                    + Self.text(ofFinding: line.details ?? [:]))
        }
        hashes[line.sequence] = hash
        // Enough for the head of a service that wrote while we read.
        if line.sequence > 64, line.sequence - 64 != remembered?.sequence { hashes[line.sequence - 64] = nil }
        head = AuditHead(sequence: line.sequence, hash: hash)
        body(line)
    }

    private static func text(ofFinding details: [String: String]) -> String {
        let text = details.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        guard let known = details["head"].flatMap({ AuditHead($0) }),
            let found = details["found"].flatMap({ AuditHead($0) }), found.sequence < known.sequence
        else { return text }
        return "lines \(found.sequence + 1) to \(known.sequence) were missing (\(text))"
    }

    private func newest(_ head: AuditHead?, _ mark: AuditHead?) -> AuditHead? {
        guard let head, let mark else { return head ?? mark }
        return mark.sequence > head.sequence ? mark : head
    }

    private mutating func begin(_ line: AuditLine) {
        removed = line.sequence &- 1
        if line.sequence > 1 {
            unexplained = AuditHead(sequence: line.sequence - 1, hash: line.previous)
        } else if line.previous != AuditHash.none {
            fault("line 1 was altered: it is the first, and names one before")
        }
    }

    private mutating func follow(_ line: AuditLine, _ place: String) {
        let next = head.sequence &+ 1
        if line.sequence > next {
            let missing = line.sequence - 1 == next ? "line \(next) was" : "lines \(next) to \(line.sequence - 1) were"
            fault("\(place): \(missing) removed or moved before line \(line.sequence)")
        } else if line.sequence < next {
            fault("\(place): line \(line.sequence) stands behind line \(head.sequence): inserted or moved")
        } else if line.previous != head.hash {
            fault(
                "\(place): line \(head.sequence) was altered, or line \(line.sequence) was: it names another before it")
        }
    }

    private mutating func noLines(_ known: AuditHead?) {
        if let known = known ?? remembered { fault("all lines are missing, up to line \(known.sequence)") }
    }

    private mutating func compare(_ before: AuditHead?, _ after: AuditHead?) {
        for known in [before, remembered].compactMap(\.self) {
            if known.sequence > head.sequence {
                fault("the end is missing: lines \(head.sequence + 1) to \(known.sequence)")
            } else if let hash = hashes[known.sequence], hash != known.hash {
                fault("line \(known.sequence) was altered: the head names another")
            }
        }
        guard let after else { return fault("the head is missing: whether lines are missing at the end is not known") }
        // One line may be ahead: a crash, or a service that just writes.
        if head.sequence > after.sequence &+ 1 {
            fault("the head names line \(after.sequence), and the log goes on to \(head.sequence)")
        }
    }

    private mutating func fault(_ text: String) {
        faultCount += 1
        if faults.count < Self.faultsMax { faults.append(text) }
    }
}
