public import EnergyModel
internal import EnergyWire
public import Foundation

/// The schedulers of one process, and the way to them: each plans the venues of some partitions.
///
/// What is asked of a venue goes to the one that plans it, or is left to another replica. What is asked of all venues is answered
/// with what the store has of those that other replicas plan.
public actor DividedScheduler {
    private final class Part {
        let partitions: Set<Int>
        let scheduler: Scheduler
        /// Under way.
        var callCount = 0
        var atEnd: CheckedContinuation<Void, Never>?

        init(_ partitions: Set<Int>, _ scheduler: Scheduler) {
            (self.partitions, self.scheduler) = (partitions, scheduler)
        }
    }

    private let make: @Sendable (_ partitions: Set<Int>) async throws(EnergyError) -> Scheduler
    private var parts: [Part] = []

    /// - Parameter make: a scheduler of some partitions, which reads the store, and does nothing unless it is run.
    public init(_ make: @escaping @Sendable (_ partitions: Set<Int>) async throws(EnergyError) -> Scheduler) {
        self.make = make
    }

    // MARK: What it plans

    /// Answers for the venues of these partitions from now on.
    ///
    /// - Throws: ``EnergyError`` `.unavailable` when the store cannot be read.
    public func begin(_ partitions: Set<Int>) async throws(EnergyError) {
        parts.append(Part(partitions, try await make(partitions)))
    }

    /// Plans the venues of partitions that were begun, until the task is cancelled.
    public func run(_ partitions: Set<Int>) async {
        await parts.first { $0.partitions == partitions }?.scheduler.run()
    }

    /// Leaves these partitions to others from now on, and returns when no call is under way any more.
    public func end(_ partitions: Set<Int>) async {
        guard let index = parts.firstIndex(where: { $0.partitions == partitions }) else { return }
        let part = parts.remove(at: index)
        await part.scheduler.end()
        if part.callCount > 0 { await withCheckedContinuation { part.atEnd = $0 } }
    }

    // MARK: What is asked

    /// Whether another replica plans the venue.
    public func leaves(_ venueID: UUID) -> Bool { part(of: venueID) == nil }

    private func part(of venueID: UUID) -> Part? {
        let partition = LogPartition.of(venueID: venueID)
        return parts.first { $0.partitions.contains(partition) }
    }

    /// Hands the scheduler of a venue over.
    ///
    /// - Throws: what `body` throws; that it is for another where another replica plans the venue.
    public func of<Value: Sendable>(
        _ venueID: UUID, _ body: @Sendable (Scheduler) async throws(EnergyError) -> Value
    ) async throws(EnergyError) -> Value {
        guard let part = part(of: venueID) else {
            throw .forAnother("this replica does not plan the venue now: another does, or their store is away")
        }
        part.callCount += 1
        defer {
            part.callCount -= 1
            if part.callCount == 0 { part.atEnd?.resume() }
        }
        return try await body(part.scheduler)
    }

    /// As ``Scheduler/devices(_:)``.
    func devices(_ filter: VenueFilter) async throws(EnergyError) -> DeviceList {
        if let venueID = filter.venueID {
            return try await of(venueID) { (scheduler) async throws(EnergyError) in await scheduler.devices(filter) }
        }
        var devices: [ManagedDevice] = []
        for scheduler in try await all() { devices += await scheduler.devices(filter).devices }
        return DeviceList(
            devices: devices.sorted {
                ($0.venueID.uuidString, $0.device.id) < ($1.venueID.uuidString, $1.device.id)
            })
    }

    /// As ``Scheduler/schedules(_:)``.
    func schedules(_ filter: ScheduleFilter) async throws(EnergyError) -> ScheduleList {
        if let venueID = filter.venueID {
            return try await of(venueID) { (scheduler) async throws(EnergyError) in await scheduler.schedules(filter) }
        }
        var schedules: [Schedule] = []
        for scheduler in try await all() { schedules += await scheduler.schedules(filter).schedules }
        return ScheduleList(
            schedules: schedules.sorted {
                ($0.venueID.uuidString, $0.deviceID) < ($1.venueID.uuidString, $1.deviceID)
            })
    }

    /// Of all partitions; those of others' only to be read.
    private func all() async throws(EnergyError) -> [Scheduler] {
        let ours = parts
        let others = LogPartition.all.subtracting(ours.flatMap(\.partitions))
        return ours.map(\.scheduler) + (others.isEmpty ? [] : [try await make(others)])
    }
}
