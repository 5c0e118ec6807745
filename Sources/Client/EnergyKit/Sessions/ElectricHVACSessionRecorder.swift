public import Foundation

/// Makes the load events of a heating or cooling system from its stages: feed it every change, submit what it returns.
///
/// A stage above 0 begins a session (a begin event with stage 0 and an active event), a changed stage, new guidance and
/// each quarter of an hour give an active event, stage 0 ends the session.
public struct ElectricHVACSessionRecorder: Sendable {
    public let device: ElectricalLoadDevice
    /// What the device goes by. Set it when there is new guidance, or when the device stops following it.
    public var guidance: ElectricHVACLoadEvent.Session.GuidanceState {
        didSet { isGuidanceNew = true }
    }

    private var running: (id: UUID, stage: Int, last: Date, reportedQuarter: Double)?
    private var isGuidanceNew = false

    public init(device: ElectricalLoadDevice, guidance: ElectricHVACLoadEvent.Session.GuidanceState) {
        self.device = device
        self.guidance = guidance
    }

    /// - Parameters:
    ///   - stage: 0 off, 100 full power; what lies outside is taken as the nearest of them.
    ///   - timestamp: one that lies before the last gives no event.
    /// - Returns: none, one or two events, in the order in which they must be submitted.
    public mutating func record(stage: Int, at timestamp: Date) -> [ElectricHVACLoadEvent] {
        let stage = min(max(stage, 0), 100)
        let quarter = (timestamp.timeIntervalSince1970 / 900).rounded(.down)
        guard quarter.isFinite else { return [] }
        guard let running else {
            guard stage > 0 else { return [] }
            let id = UUID()
            self.running = (id, stage, timestamp, quarter)
            isGuidanceNew = false
            return [event(.begin, 0, timestamp, id), event(.active, stage, timestamp, id)]
        }
        guard timestamp >= running.last else { return [] }
        guard stage > 0 else { return end(at: timestamp).map { [$0] } ?? [] }
        let isReported = isGuidanceNew || stage != running.stage || quarter != running.reportedQuarter
        self.running = (running.id, stage, timestamp, isReported ? quarter : running.reportedQuarter)
        guard isReported else { return [] }
        isGuidanceNew = false
        return [event(.active, stage, timestamp, running.id)]
    }

    /// - Returns: the end event; `nil` when no session is running.
    public mutating func end(at timestamp: Date) -> ElectricHVACLoadEvent? {
        guard let running else { return nil }
        self.running = nil
        isGuidanceNew = false
        return event(.end, 0, max(timestamp, running.last), running.id)
    }

    private func event(
        _ state: ElectricHVACLoadEvent.Session.State, _ stage: Int, _ timestamp: Date, _ id: UUID
    ) -> ElectricHVACLoadEvent {
        ElectricHVACLoadEvent(
            timestamp: timestamp, measurement: ElectricHVACLoadEvent.ElectricalMeasurement(stage: stage),
            session: ElectricHVACLoadEvent.Session(id: id, state: state, guidanceState: guidance), device: device)
    }
}
