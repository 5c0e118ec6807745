public import EnergyModel
internal import Foundation

/// A ``ScheduleStore`` for tests and for a scheduler that may forget.
public actor InMemoryScheduleStore: ScheduleStore {
    private struct Key: Hashable {
        let venueID: UUID
        let deviceID: String
    }
    private var records: [Key: DeviceRecord] = [:]
    private var positions: [Int: UInt64] = [:]

    public init() {}

    public func load() async throws(EnergyError) -> ScheduleStoreContent {
        ScheduleStoreContent(
            records: records.sorted { a, b in
                (a.key.venueID.uuidString, a.key.deviceID) < (b.key.venueID.uuidString, b.key.deviceID)
            }.map(\.value),
            positions: positions.sorted { $0.key < $1.key }.map { LogHead(partition: $0.key, sequence: $0.value) })
    }

    public func save(_ records: [DeviceRecord], positions: [LogHead]) async throws(EnergyError) {
        for record in records {
            self.records[Key(venueID: record.device.venueID, deviceID: record.device.device.id)] = record
        }
        for head in positions {
            self.positions[head.partition] = max(head.sequence, self.positions[head.partition] ?? 0)
        }
    }
}
