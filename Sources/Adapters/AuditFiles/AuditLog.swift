public import EnergyModel
public import EnergyTransport
internal import Foundation
internal import Synchronization

/// The audit log of one service: what needs `control` or `admin`, and what the service does for its own security.
///
/// Writing blocks, so it has a thread of its own; only who waits for a line waits for the disk. While it cannot be
/// written, nothing that it must hold is done: see ``begin(_:)``.
public actor AuditLog: AuditTrail {
    /// Who acts when the log itself does.
    static let itself = "audit-log"
    /// What one line names; more are counted.
    private static let venuesMax = 20
    /// More than calls can be in flight.
    private static let unwrittenMax = 10_000

    private let executor = DiskExecutor()
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let folder: AuditFolder
    private let service: String
    private let clock: any WallClock
    private let limits: (fileBytesMax: Int, filesMax: Int)
    private let onProblem: @Sendable (AuditError?) -> Void
    private let repeats: Mutex<AuditRepeats>
    private var writer: AuditWriter?
    /// Of actions that were carried out while the disk was full; written before anything else.
    private var unwritten: [AuditLine] = []
    private var problem: AuditError?

    /// - Parameters:
    ///   - state: the service's state directory.
    ///   - clock: the machine's own time of day.
    ///   - onProblem: told why the log cannot be written, and `nil` when it can again; must not block.
    public init(
        state: String, service: String, clock: any WallClock,
        onProblem: @escaping @Sendable (AuditError?) -> Void = { _ in }
    ) {
        self.init(
            state: state, service: service, clock: clock,
            limits: (AuditWriter.fileBytesMax, AuditWriter.filesMax), onProblem: onProblem)
    }

    init(
        state: String, service: String, clock: any WallClock, limits: (fileBytesMax: Int, filesMax: Int),
        onProblem: @escaping @Sendable (AuditError?) -> Void = { _ in }
    ) {
        folder = AuditFolder(state: state)
        self.service = service
        self.clock = clock
        self.limits = limits
        self.onProblem = onProblem
        repeats = Mutex(AuditRepeats())
    }

    /// The newest line; `nil` while the log cannot be opened.
    public var head: AuditHead? {
        try? open()
        return writer?.head
    }

    // MARK: Requests

    public func begin(_ action: AuditedAction) async throws(CallFailure) -> UInt64 {
        do throws(AuditError) { return try write(line(.actionBegins, action)) } catch {
            throw CallFailure(
                .unavailable, "\(error), and what cannot be written down there is not done",
                retryAfter: .seconds(10))
        }
    }

    public func end(_ number: UInt64, _ action: AuditedAction, _ failure: CallFailure?) async {
        var line = line(.actionEnds, action)
        line.status = AuditStatus.text(failure)
        line.began = number
        keep(line)
    }

    public nonisolated func note(_ action: AuditedAction, _ failure: CallFailure?) async {
        let key = AuditRepeats.Key(action: action, status: AuditStatus.text(failure))
        guard repeats.withLock({ $0.isNew(key, at: clock.now) }) else { return }
        await write(key, repeats: nil)
    }

    /// Writes how often was repeated what has not been written since. To be called about once a minute.
    public func tick() {
        for (key, count) in repeats.withLock({ $0.takeDue(at: clock.now) }) { write(key, repeats: count) }
    }

    private func write(_ key: AuditRepeats.Key, repeats: Int?) {
        var line = line(key.status == AuditStatus.ok ? .read : .actionRefused, key.action)
        line.status = key.status
        line.repeats = repeats
        // It was refused, or changes nothing: no reason to do anything else than to say that it is missing.
        _ = try? write(line)
    }

    // MARK: The service itself

    /// Writes down what the service does by itself. It is done all the same when that cannot be written now: later then.
    public func note(_ event: AuditLine.Event, _ details: [String: String] = [:]) {
        keep(AuditLine(event, principal: service, details: details.isEmpty ? nil : details))
    }

    /// Writes what is left, and closes the log.
    ///
    /// - Returns: the newest line; `nil` when there is no log.
    @discardableResult
    public func close() -> AuditHead? {
        for (key, count) in repeats.withLock({ $0.takeAll() }) { write(key, repeats: count) }
        note(.serviceStopped)
        defer { writer = nil }
        return writer?.head
    }

    // MARK: Writing

    private func keep(_ line: AuditLine) {
        do throws(AuditError) { _ = try write(line) } catch {
            // Calls in flight, for none begins before these are written, and what the service does by itself.
            if unwritten.count < Self.unwrittenMax { unwritten.append(line) }
        }
    }

    private func write(_ line: AuditLine) throws(AuditError) -> UInt64 {
        do throws(AuditError) {
            try open()
            let now = clock.now
            while let first = unwritten.first {
                _ = try writer?.append(first, at: now)
                unwritten.removeFirst()
            }
            guard let number = try writer?.append(line, at: now) else { throw AuditError("the audit log is closed") }
            tell(nil)
            return number
        } catch {
            tell(error)
            throw error
        }
    }

    private func open() throws(AuditError) {
        guard writer == nil else { return }
        writer = try AuditWriter(folder, fileBytesMax: limits.fileBytesMax, filesMax: limits.filesMax)
    }

    private func tell(_ problem: AuditError?) {
        guard problem != self.problem else { return }
        self.problem = problem
        onProblem(problem)
    }

    private func line(_ event: AuditLine.Event, _ action: AuditedAction) -> AuditLine {
        var line = AuditLine(event, principal: action.principal, method: action.method)
        if let venues = action.venues {
            line.venues = venues.prefix(Self.venuesMax).map { $0.uuidString.lowercased() }
            if venues.count > Self.venuesMax { line.moreVenues = venues.count - Self.venuesMax }
        }
        return line
    }
}

/// Statuses by gRPC's names.
public enum AuditStatus {
    static let ok = "OK"

    public static func text(_ failure: CallFailure?) -> String {
        guard let failure else { return ok }
        return "\(failure.code)".reduce(into: "") { text, letter in
            if letter.isUppercase { text += "_" }
            text += letter.uppercased()
        }
    }
}
