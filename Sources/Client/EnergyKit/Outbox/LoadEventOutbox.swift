internal import EnergyFeeds
public import Foundation

/// Keeps events in a folder until they are submitted, so that neither an absent service nor the end of the program loses
/// any.
///
/// ``add(_:toVenue:)`` returns when the events are on disk; ``run()`` submits them, oldest first. What fails for a reason
/// that may pass is tried again, after a wait that doubles each time; what breaks a rule is set aside in the folder
/// `refused`, and the rest goes on. An event keeps its identifier, and the service stores no identifier twice, so each
/// event arrives once however often the program or the service is stopped.
///
/// ```swift
/// let outbox = try LoadEventOutbox(directory: URL(filePath: "/var/lib/charger/outbox"))
/// let sending = Task { try await outbox.run() }
/// try await outbox.add([beginEvent], toVenue: venue.id)
/// ```
public final actor LoadEventOutbox {
    /// An event that a service refused: submitting it again would be refused again.
    public struct Refusal: Sendable {
        public let venueID: UUID
        /// Of the events that were refused together.
        public let eventIDs: [UUID]
        public let error: EnergyKitError
    }

    typealias Submit = @Sendable (_ venueID: UUID, _ events: [any ElectricalLoadEventProtocol]) async throws -> Void

    private let folder: OutboxFolder
    private let clock: any Clock<Duration>
    private let submit: Submit
    private var entries: [OutboxEntry] = []
    private var count = 0
    private let countMax: Int
    private var isRunning = false
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation
    private var onRefusal: (@Sendable (Refusal) -> Void)?

    /// Events submitted at once, when there are so many.
    private static let batchMax = 500

    /// - Parameters:
    ///   - directory: of this outbox alone; made if need be.
    ///   - eventsMax: how many events are kept; more are not taken.
    ///   - clock: for the waits after failures.
    /// - Throws: ``LoadEventOutboxError/inUse`` while another program uses the folder; otherwise what the file system
    ///   says.
    public init(
        directory: URL, eventsMax: Int = 100_000, clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        try self.init(directory: directory, eventsMax: eventsMax, clock: clock) { venueID, events in
            try await EventSubmission(venueID: venueID).submit(events)
        }
    }

    init(directory: URL, eventsMax: Int, clock: any Clock<Duration>, submit: @escaping Submit) throws {
        folder = try OutboxFolder(directory)
        self.clock = clock
        self.submit = submit
        countMax = eventsMax
        entries = try folder.entries()
        count = entries.reduce(0) { $0 + $1.eventCount }
        (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// How many events wait.
    public var pendingCount: Int { count }

    /// - Parameter handler: told of each refusal, in place of nobody.
    public func setRefusalHandler(_ handler: (@Sendable (Refusal) -> Void)?) { onRefusal = handler }

    /// Takes events; when it returns, they are on disk. Those of one call are submitted together.
    ///
    /// - Throws: ``LoadEventOutboxError/full``, ``LoadEventOutboxError/unknownEvent``, or what the file system says;
    ///   then none is taken.
    public func add(_ events: [any ElectricalLoadEventProtocol], toVenue venueID: UUID) throws {
        guard !events.isEmpty else { return }
        guard events.count <= countMax - count else { throw LoadEventOutboxError.full }
        let stored = try events.map { event in
            guard let event = StoredEvent(event) else { throw LoadEventOutboxError.unknownEvent }
            return event
        }
        entries.append(try folder.write(StoredBatch(venueID: venueID, events: stored)))
        count += events.count
        ring.yield()
    }

    /// Submits what is there and what comes, until the task is cancelled. Uses the services of the task that calls it.
    ///
    /// - Throws: ``LoadEventOutboxError/running`` when it runs already; or, when a file cannot be removed, what the file
    ///   system says.
    public func run() async throws {
        guard !isRunning else { throw LoadEventOutboxError.running }
        isRunning = true
        defer { isRunning = false }
        var backoff = Backoff(first: .seconds(1), longest: .seconds(15))
        while !Task.isCancelled {
            guard !entries.isEmpty else {
                var rings = bell.makeAsyncIterator()
                await rings.next(isolation: self)
                continue
            }
            do {
                try await submitOldest()
                backoff.succeeded()
            } catch is EnergyKitError {
                try? await clock.sleep(for: backoff.failed())
            } catch is CancellationError {
                return
            }
        }
    }

    /// Submits the oldest entries of one venue together; one by one if together they are refused, to find the wrong one.
    private func submitOldest() async throws {
        var batch: [(entry: OutboxEntry, content: StoredBatch)] = []
        var size = 0
        for entry in entries {
            guard batch.isEmpty || size + entry.eventCount <= Self.batchMax else { break }
            guard let content = folder.read(entry) else {
                // Nothing can be made of it; the others wait for it no longer.
                if batch.isEmpty { try setAside(entry) }
                break
            }
            guard batch.isEmpty || content.venueID == batch[0].content.venueID else { break }
            batch.append((entry, content))
            size += entry.eventCount
        }
        guard let venueID = batch.first?.content.venueID else { return }
        do {
            try await submit(venueID, batch.flatMap { $0.content.events.map(\.event) })
            for part in batch { try remove(part.entry) }
        } catch EnergyKitError.invalidLoadEvent {
            for part in batch { try await submitAlone(part.entry, part.content) }
        }
    }

    private func submitAlone(_ entry: OutboxEntry, _ content: StoredBatch) async throws {
        do {
            try await submit(content.venueID, content.events.map(\.event))
            try remove(entry)
        } catch EnergyKitError.invalidLoadEvent {
            try setAside(entry)
            onRefusal?(
                Refusal(venueID: content.venueID, eventIDs: content.events.map(\.id), error: .invalidLoadEvent))
        }
    }

    private func remove(_ entry: OutboxEntry) throws {
        try folder.remove(entry)
        forget(entry)
    }

    private func setAside(_ entry: OutboxEntry) throws {
        try folder.setAside(entry)
        forget(entry)
    }

    private func forget(_ entry: OutboxEntry) {
        guard let index = entries.firstIndex(of: entry) else { return }
        entries.remove(at: index)
        count -= entry.eventCount
    }
}
