internal import EnergyModel
internal import EnergyStore
internal import EnergyWire
internal import Foundation
internal import Logging

/// Telling why vehicles charge or wait, where nobody told it.
extension Scheduler {
    struct UntoldStatus {
        let status: VehicleStatus.Status
        let since: Timestamp
        var isSent = false
    }

    /// Looks at what should be told of a vehicle, and sends it when its grace is over.
    func noteStatus(of record: DeviceRecord, _ key: DeviceKey, now: Timestamp) {
        let known = guidance[FeedKey(venueID: key.venueID, action: .shift)]
        let asksForLess = known?.basis.events.contains { $0.interval.contains(now) } ?? false
        guard planning.tellsStatus, let scheduled = ScheduledStatus(record, asksForLess: asksForLess, now: now),
            !isTold(scheduled, of: record, key)
        else {
            untold[key] = nil
            return
        }
        if untold[key]?.status != scheduled.status {
            untold[key] = UntoldStatus(status: scheduled.status, since: now)
        }
        guard let waiting = untold[key], !waiting.isSent else { return }
        let due = waiting.since.advanced(byMilliseconds: scheduled.graceMilliseconds)
        guard due <= now else {
            dueAt[key] = min(dueAt[key] ?? due, due)
            return
        }
        guard let content = scheduled.content(of: record) else { return }
        untold[key]?.isSent = true
        told[key] = scheduled
        statusEvent.yield(
            Event(id: UUID(), timestamp: now, venueID: key.venueID, device: record.device.device, content: content))
    }

    /// Also by the vehicle itself, if it knows better.
    private func isTold(_ scheduled: ScheduledStatus, of record: DeviceRecord, _ key: DeviceKey) -> Bool {
        let last = record.progress.status
        guard let told = told[key], told.status == last else {
            return last == scheduled.status || scheduled.yields(to: last)
        }
        return scheduled.isSaid(by: told)
    }

    /// Sends what is to be told, one after the other. What cannot be sent is told again with the next look at the device.
    func sendStatus() async {
        for await event in statusEvents {
            do throws(EnergyError) {
                _ = try await connections.events.call(
                    Methods.submitEvents, EventBatch(events: [event]), timeout: .seconds(5))
            } catch {
                untold[DeviceKey(venueID: event.venueID, deviceID: event.device.id)] = nil
                logger.info("status not told", metadata: ["error": "\(error.message)"])
            }
        }
    }
}
