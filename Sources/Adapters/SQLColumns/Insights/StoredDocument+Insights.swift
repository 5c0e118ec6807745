public import EnergyModel
internal import EnergyStore
internal import Foundation

// What is kept of a subject, as it is handed out.

extension StoredDocument {
    public init(_ status: Activity) throws {
        struct Document: Encodable {
            let venueId: String
            let deviceId: String
            let deviceName: String
            let eventId: String
            let timeUnixMs: Int64
            let kind: String
            let stateOfCharge: Int?
            let energyMwh: Int64?
        }
        var report: VehicleStatus?
        if case .status(let value) = status.content { report = value }
        try self.init(
            kind: "status",
            Document(
                venueId: status.venueID.uuidString.lowercased(), deviceId: status.device.id,
                deviceName: status.device.name, eventId: status.id.uuidString.lowercased(),
                timeUnixMs: status.time.unixMilliseconds, kind: status.kind.rawValue,
                stateOfCharge: report?.stateOfCharge, energyMwh: report?.energyMilliwattHours))
    }

    /// - Parameter buckets: of one day.
    public init(_ series: InsightSeries, _ buckets: UnpackedTallies) throws {
        struct Bucket: Encodable {
            let startUnixMs: Int64
            let classCode: Int32
            let energyMwh: Int64
            let runtimeMs: Int64
            let costMicros: Int64
            let carbonMg: Int64
        }
        struct Day: Encodable {
            let venueId: String
            let deviceId: String
            let direction: String
            let buckets: [Bucket]
        }
        try self.init(
            kind: "bucket",
            Day(
                venueId: series.venueID.uuidString.lowercased(), deviceId: series.deviceID,
                direction: series.direction.rawValue,
                buckets: [QuarterTally](buckets).map { bucket in
                    Bucket(
                        startUnixMs: bucket.key.start.unixMilliseconds, classCode: bucket.key.class.code,
                        energyMwh: bucket.tally.amount.energy.milliwattHours,
                        runtimeMs: bucket.tally.amount.runtimeMilliseconds, costMicros: bucket.tally.costMicros,
                        carbonMg: bucket.tally.carbonMilligrams)
                }))
    }

    public init(_ session: CountedSession) throws {
        struct Document: Encodable {
            let venueId: String
            let deviceId: String
            let sessionId: String
            let pluggedInUnixMs: Int64?
            let beganUnixMs: Int64
            let lastUnixMs: Int64
            let energyMwh: Int64
            let isOver: Bool
            let wasFollowingGuidance: Bool
        }
        try self.init(
            kind: "session",
            Document(
                venueId: session.key.venueID.uuidString.lowercased(), deviceId: session.series.deviceID,
                sessionId: session.key.sessionID.uuidString.lowercased(),
                pluggedInUnixMs: session.pluggedIn?.unixMilliseconds,
                beganUnixMs: session.began.unixMilliseconds, lastUnixMs: session.timestamp.unixMilliseconds,
                energyMwh: session.energy.milliwattHours, isOver: session.isOver,
                wasFollowingGuidance: session.wasFollowingGuidance))
    }

    private init(kind: String, _ document: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self.init(kind: kind, json: String(decoding: try encoder.encode(document), as: UTF8.self))
    }
}

/// Some of a subject's documents, after those that were handed out before.
public struct DocumentPage {
    public private(set) var documents: [StoredDocument] = []
    /// Still to be passed over.
    public private(set) var skipped: Int
    public let countMax: Int
    public var isFull: Bool { documents.count >= countMax }

    public init(skipped: Int, countMax: Int) { (self.skipped, self.countMax) = (skipped, countMax) }

    public mutating func add(_ document: @autoclosure () throws -> StoredDocument) rethrows {
        guard !isFull else { return }
        guard skipped == 0 else {
            skipped -= 1
            return
        }
        documents.append(try document())
    }
}
