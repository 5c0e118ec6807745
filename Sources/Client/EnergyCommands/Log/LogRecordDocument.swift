internal import EnergyModel
internal import Foundation

/// A record of the log as a line of JSON: the contract's field names and numbers, nothing rounded, so that it can be
/// read back to what it was. Times are ISO 8601 in UTC; earlier exports said milliseconds, which are still read.
struct LogRecordDocument: Codable {
    let partition: Int
    let sequence: UInt64
    let venueId: LogID
    let received: LogTime?
    let receivedUnixMs: Int64?
    let principal: String
    let events: [LogEventDocument]

    init(_ record: LogRecord) {
        partition = record.partition
        sequence = record.sequence
        venueId = LogID(record.venueID)
        received = LogTime(record.received)
        receivedUnixMs = nil
        principal = record.principal
        events = record.events.map(LogEventDocument.init)
    }

    var record: LogRecord {
        get throws(LogFault) {
            let received = try received.timestamp(or: receivedUnixMs, "received")
            var events: [Event] = []
            for (index, event) in self.events.enumerated() {
                do throws(LogFault) { events.append(try event.event(venueID: venueId.uuid)) } catch {
                    throw error.within("events[\(index)]")
                }
            }
            return LogRecord(
                partition: partition, sequence: sequence, venueID: venueId.uuid, received: received,
                principal: principal, events: events)
        }
    }

    init(line: [UInt8]) throws(LogFault) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let line = Data(line)
        do { self = try decoder.decode(LogRecordDocument.self, from: line) } catch {
            throw LogFault(error, reading: line)
        }
    }
}

struct LogEventDocument: Codable {
    struct DevicePart: Codable {
        let id: String
        let name: String
        let type: String
    }
    struct SessionPart: Codable {
        let id: LogID
        let state: String
        let wasFollowingGuidance: Bool
        let guidanceToken: LogID
    }
    struct VehicleLoadPart: Codable {
        let session: SessionPart
        /// `nil` where it was not known.
        let stateOfCharge: Int?
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
        let estimatedCompletion: LogTime?
        let scheduledStart: LogTime?
        let estimatedCompletionUnixMs: Int64?
        let scheduledStartUnixMs: Int64?
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
        let sessionId: LogID?
    }
    let id: LogID
    let timestamp: LogTime?
    let timestampUnixMs: Int64?
    let device: DevicePart
    let vehicleLoad: VehicleLoadPart?
    let hvacLoad: HVACLoadPart?
    let vehicleStatus: VehicleStatusPart?
}
