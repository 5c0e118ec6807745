import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

/// Several schedulers of one process, of venues that others plan, too.
struct DividedSchedulerTests {
    /// Of partitions 1 and 2.
    private static let venues = [EventSamples.venueID, EventSamples.id(2)]

    /// Partition after partition of one store, of which a scheduler has what is read of it.
    private func schedulers() async throws -> (divided: DividedScheduler, client: TableClient) {
        let store = InMemoryScheduleStore()
        for (index, venueID) in Self.venues.enumerated() {
            var record = DeviceRecord(
                device: ManagedDevice(
                    device: EventSamples.car, venueID: venueID, vehicle: SchedulerWorld.car.vehicle),
                timeZone: .gmt)
            if index == 1 {
                let draft = GoalDraft(
                    venueID: venueID, deviceID: EventSamples.car.id,
                    readyBy: EventSamples.now.advanced(byMilliseconds: 36_000_000),
                    target: .energy(Energy(milliwattHours: 5_000_000)))
                try record.set(draft, now: EventSamples.now)
            }
            try await store.save([record], positions: [])
        }
        let divided = DividedScheduler { (partitions) async throws(EnergyError) in
            do {
                return try await SchedulerWorld(store: PartOfStore(whole: store, partitions: partitions)).scheduler
            } catch { throw EnergyError(.unavailable, "\(error)") }
        }
        var table = MethodTable()
        SchedulingHandler(scheduler: divided).register(in: &table)
        return (divided, TableClient(table))
    }

    @Test func `a venue is answered for by who plans it, and left to another by everybody else`() async throws {
        let (divided, client) = try await schedulers()
        let partitions = Self.venues.map(LogPartition.of(venueID:))
        try #require(Set(partitions).count == 2)
        func answers() async -> [Bool?] {
            var answers: [Bool?] = []
            for venueID in Self.venues {
                do throws(CallFailure) {
                    let reply = try await client.call(
                        Methods.listDevices.name, VenueFilter(venueID: venueID).encoded(), options: CallOptions())
                    answers.append(!reply.isEmpty)
                } catch { answers.append(error.isForAnother ? nil : false) }
            }
            return answers
        }
        #expect(await answers() == [nil, nil])
        try await divided.begin([partitions[0]])
        #expect(await answers() == [true, nil])
        try await divided.begin([partitions[1]])
        #expect(await answers() == [true, true])
        await divided.end([partitions[0]])
        #expect(await answers() == [nil, true])
        try await divided.begin([partitions[0]])
        #expect(await answers() == [true, true])
    }

    @Test func `of all venues everybody answers, with the store's of others'`() async throws {
        let (divided, client) = try await schedulers()
        for _ in 0..<2 {
            let devices = try await client.call(Methods.listDevices, VenueFilter()).devices
            #expect(devices.map(\.venueID) == Self.venues.sorted { $0.uuidString < $1.uuidString })
            let schedules = try await client.call(Methods.listSchedules, ScheduleFilter()).schedules
            #expect(schedules.map(\.venueID) == [Self.venues[1]])
            try await divided.begin([LogPartition.of(venueID: Self.venues[1])])
        }
    }

    @Test func `what was erased does not come back where the store failed afterwards`() async throws {
        let world = try await SchedulerWorld(store: FailingStore())
        _ = try await world.scheduler.put(SchedulerWorld.car)
        let limits = VenueLimits(venueID: EventSamples.venueID, importPower: SchedulerWorld.power(6_000_000))
        _ = try await world.scheduler.put(limits)
        await #expect(throws: EnergyError.self) {
            try await world.scheduler.erase(DataSubject(venueID: EventSamples.venueID))
        }
        #expect(await world.scheduler.devices(VenueFilter()).devices.isEmpty)
        #expect(await world.scheduler.limits(of: PlannedVenue(venueID: EventSamples.venueID)).importPower == nil)
        #expect(try await world.store.load().records.isEmpty)
    }

    @Test func `it ends when the calls that are under way have`() async throws {
        let (divided, _) = try await schedulers()
        let venueID = Self.venues[0]
        try await divided.begin([LogPartition.of(venueID: venueID)])
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (release, mayEnd) = AsyncStream<Void>.makeStream()
        let order = Box<[String]>([])
        async let call: Void = divided.of(venueID) { (_) async throws(EnergyError) in
            begin.yield()
            for await _ in release { break }
            order.update { $0.append("call") }
        }
        for await _ in begun { break }
        async let end: Void = {
            await divided.end([LogPartition.of(venueID: venueID)])
            order.update { $0.append("end") }
        }()
        // Nobody else is let in meanwhile.
        var isLeft = false
        while !isLeft {
            do throws(EnergyError) { try await divided.of(venueID) { (_) async throws(EnergyError) in } } catch {
                isLeft = error.isForAnother
            }
        }
        mayEnd.yield()
        _ = try await (call, end)
        #expect(order.value == ["call", "end"])
    }
}

/// A store that removes what is to be erased, and then says that it failed, as where there is no room to write a table anew.
private struct FailingStore: ScheduleStore {
    let store = InMemoryScheduleStore()

    func load() async throws(EnergyError) -> ScheduleStoreContent { try await store.load() }

    func save(_ records: [DeviceRecord], positions: [LogHead]) async throws(EnergyError) {
        try await store.save(records, positions: positions)
    }

    func save(_ setup: VenueSetup) async throws(EnergyError) { try await store.save(setup) }

    func erase(_ subject: DataSubject) async throws(EnergyError) -> [ErasedCount] {
        _ = try await store.erase(subject)
        throw EnergyError(.unavailable, "no room")
    }

    func adopt(log id: UUID?, anew: Bool) async throws(EnergyError) { try await store.adopt(log: id, anew: anew) }
}

/// Some partitions of a store, as another process would have them.
private struct PartOfStore: ScheduleStore {
    let whole: InMemoryScheduleStore
    let partitions: Set<Int>

    func load() async throws(EnergyError) -> ScheduleStoreContent {
        var content = try await whole.load()
        content.records.removeAll { !partitions.contains(LogPartition.of(venueID: $0.device.venueID)) }
        content.venues.removeAll { !partitions.contains(LogPartition.of(venueID: $0.venueID)) }
        return content
    }

    func save(_ records: [DeviceRecord], positions: [LogHead]) async throws(EnergyError) {
        try await whole.save(records, positions: positions)
    }

    func save(_ setup: VenueSetup) async throws(EnergyError) { try await whole.save(setup) }

    func erase(_ subject: DataSubject) async throws(EnergyError) -> [ErasedCount] { try await whole.erase(subject) }

    func adopt(log id: UUID?, anew: Bool) async throws(EnergyError) { try await whole.adopt(log: id, anew: anew) }
}
