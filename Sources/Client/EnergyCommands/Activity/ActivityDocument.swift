internal import EnergyModel
internal import Foundation

struct ActivitiesDocument: Encodable {
    let entries: [ActivityDocument]
}

/// What happened in words, as a row of `--csv`.
struct ActivityRow: Codable {
    let time: String
    let kind: String
    let deviceId: String
    let deviceType: String
    let text: String
    let id: String

    init(_ document: ActivityDocument) {
        time = document.time
        kind = document.kind
        deviceId = document.deviceId
        deviceType = document.deviceType
        text = document.text
        id = document.id
    }
}

/// Something that happened, as JSON: in words, and as it was reported.
struct ActivityDocument: Encodable {
    struct Target: Encodable {
        let stateOfCharge: Int
        let scheduledStart: String
        let estimatedCompletion: String
    }
    struct Status: Encodable {
        let status: String
        let reason: String?
        let stateOfCharge: Int
        let energyMwh: Int64
        let target: Target?
        let sessionId: String?
    }
    let id: String
    let time: String
    let kind: String
    let deviceId: String
    let deviceType: String
    let text: String
    let session: SessionInsightDocument?
    let status: Status?

    init(_ entry: ToldActivity, in zone: TimeZone) {
        let activity = entry.activity
        id = activity.id.text
        time = activity.time.iso8601(in: zone)
        kind = activity.kind.rawValue
        deviceId = activity.device.id
        deviceType = Words.snake(activity.device.kind.rawValue)
        text = entry.text
        switch activity.content {
        case .session(let value): (session, status) = (SessionInsightDocument(value, in: zone), nil)
        case .status(let value): (session, status) = (nil, Status(value, in: zone))
        }
    }
}

extension ActivityDocument.Status {
    fileprivate init(_ status: VehicleStatus, in zone: TimeZone) {
        let (name, reason): (String, String?) =
            switch status.status {
            case .pluggedIn: ("plugged_in", nil)
            case .unplugged: ("unplugged", nil)
            case .active(let reason): ("active", Words.snake(reason.rawValue))
            case .idle(let reason): ("idle", Words.snake(reason.rawValue))
            }
        self.init(
            status: name, reason: reason, stateOfCharge: status.stateOfCharge, energyMwh: status.energyMilliwattHours,
            target: status.target.map {
                ActivityDocument.Target(
                    stateOfCharge: $0.stateOfCharge, scheduledStart: $0.scheduledStart.iso8601(in: zone),
                    estimatedCompletion: $0.estimatedCompletion.iso8601(in: zone))
            }, sessionId: status.sessionID?.text)
    }
}
