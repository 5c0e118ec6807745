public import EnergyModel
public import Foundation

/// A ``ScheduleStore`` for tests and for a scheduler that may forget.
public actor InMemoryScheduleStore: ScheduleStore {
    private struct Key: Hashable {
        let venueID: UUID
        let deviceID: String
    }
    private var records: [Key: DeviceRecord] = [:]
    private var positions: [Int: LogHead] = [:]
    private var log: UUID?
    private var venues: [UUID: VenueSetup] = [:]

    public init() {}

    public func load() async throws(EnergyError) -> ScheduleStoreContent {
        ScheduleStoreContent(
            records: records.sorted { a, b in
                (a.key.venueID.uuidString, a.key.deviceID) < (b.key.venueID.uuidString, b.key.deviceID)
            }.map(\.value),
            venues: venues.values.sorted { $0.venueID.uuidString < $1.venueID.uuidString },
            positions: positions.values.sorted { $0.partition < $1.partition }, logID: log)
    }

    public func save(_ records: [DeviceRecord], positions: [LogHead]) async throws(EnergyError) {
        for record in records {
            self.records[Key(venueID: record.device.venueID, deviceID: record.device.device.id)] = record
        }
        for head in positions {
            guard head.sequence >= self.positions[head.partition]?.sequence ?? 0 else { continue }
            self.positions[head.partition] = head
        }
    }

    public func save(_ setup: VenueSetup) async throws(EnergyError) {
        venues[setup.venueID] = setup.isEmpty ? nil : setup
    }

    public func erase(_ subject: DataSubject) async throws(EnergyError) -> [ErasedCount] {
        let keys = records.keys.filter { $0.venueID == subject.venueID && subject.covers(deviceID: $0.deviceID) }
        for key in keys { records[key] = nil }
        if subject.deviceID == nil { venues[subject.venueID] = nil }
        return [ErasedCount(kind: "device", count: keys.count)]
    }

    public func adopt(log id: UUID?, anew: Bool) async throws(EnergyError) {
        log = id
        if anew { positions = [:] }
    }
}
