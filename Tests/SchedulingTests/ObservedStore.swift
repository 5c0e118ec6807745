import EnergyModel
import EnergyStore
import Foundation

/// A store that tells what is saved.
struct ObservedStore: ScheduleStore {
    let saves: AsyncStream<[DeviceRecord]>
    private let saved: AsyncStream<[DeviceRecord]>.Continuation
    private let store = InMemoryScheduleStore()

    init() { (saves, saved) = AsyncStream.makeStream() }

    func load() async throws(EnergyError) -> ScheduleStoreContent { try await store.load() }

    func save(_ records: [DeviceRecord], positions: [LogHead]) async throws(EnergyError) {
        try await store.save(records, positions: positions)
        saved.yield(records)
    }

    func save(_ setup: VenueSetup) async throws(EnergyError) { try await store.save(setup) }

    func erase(_ subject: DataSubject) async throws(EnergyError) -> [ErasedCount] { try await store.erase(subject) }

    func adopt(log id: UUID?, anew: Bool) async throws(EnergyError) { try await store.adopt(log: id, anew: anew) }
}
