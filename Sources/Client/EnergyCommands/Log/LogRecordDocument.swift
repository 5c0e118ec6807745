internal import EnergyModel
internal import Foundation

/// A record of the log as a line of JSON: the contract's field names and numbers, nothing rounded, so that it can be
/// read back to what it was.
struct LogRecordDocument: Codable {
    let partition: Int
    let sequence: UInt64
    let venueId: UUID
    let receivedUnixMs: Int64
    let principal: String
    let events: [LogEventDocument]

    init(_ record: LogRecord) {
        partition = record.partition
        sequence = record.sequence
        venueId = record.venueID
        receivedUnixMs = record.received.unixMilliseconds
        principal = record.principal
        events = record.events.map(LogEventDocument.init)
    }

    /// - Returns: `nil` for words that are not the contract's.
    var record: LogRecord? {
        let events = events.compactMap { $0.event(venueID: venueId) }
        guard events.count == self.events.count else { return nil }
        return LogRecord(
            partition: partition, sequence: sequence, venueID: venueId,
            received: Timestamp(unixMilliseconds: receivedUnixMs), principal: principal, events: events)
    }

    init?(line: Data) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let document = try? decoder.decode(LogRecordDocument.self, from: line) else { return nil }
        self = document
    }
}

struct LogEventDocument: Codable {
    struct DevicePart: Codable {
        let id: String
        let name: String
        let type: String
    }
    struct SessionPart: Codable {
        let id: UUID
        let state: String
        let wasFollowingGuidance: Bool
        let guidanceToken: UUID
    }
    struct VehicleLoadPart: Codable {
        let session: SessionPart
        let stateOfCharge: Int
        let direction: String
        let powerMw: Int64
        let energyMwh: Int64
        let estimatedRangeMm: Int64?
        let batteryTemperatureMk: Int64?
    }
    struct HVACLoadPart: Codable {
        let session: SessionPart
        let stage: Int
    }
    struct TargetPart: Codable {
        let stateOfCharge: Int
        let estimatedCompletionUnixMs: Int64
        let scheduledStartUnixMs: Int64
        let estimatedRangeMm: Int64?
    }
    struct VehicleStatusPart: Codable {
        let status: String
        let activeReason: String?
        let idleReason: String?
        let stateOfCharge: Int
        let energyMwh: Int64
        let estimatedRangeMm: Int64?
        let target: TargetPart?
        let sessionId: UUID?
    }
    let id: UUID
    let timestampUnixMs: Int64
    let device: DevicePart
    let vehicleLoad: VehicleLoadPart?
    let hvacLoad: HVACLoadPart?
    let vehicleStatus: VehicleStatusPart?
}
