internal import EnergyModel
public import Foundation

extension ElectricVehicleLoadEvent {
    /// One continuous use of electricity, from begin to end, in one direction.
    public struct Session: Codable, Sendable {
        /// The same in all events of the session.
        public let id: UUID
        public let state: State
        public let guidanceState: GuidanceState

        public init(id: UUID, state: State, guidanceState: GuidanceState) {
            self.id = id
            self.state = state
            self.guidanceState = guidanceState
        }
    }
}

extension ElectricVehicleLoadEvent.Session {
    /// Where in the session an event stands: one begin, any number of active, one end.
    public enum State: Codable, Hashable, Sendable {
        /// Energy is 0: nothing was used yet.
        case begin
        /// Energy is what the whole session used; the next session counts from 0.
        case end
        case active
    }

    /// What the device went by.
    public struct GuidanceState: Codable, Sendable {
        public let wasFollowingGuidance: Bool
        /// Of the guidance in force, also when it was not followed.
        public var guidanceToken: UUID

        public init(wasFollowingGuidance: Bool, guidanceToken: UUID) {
            self.wasFollowingGuidance = wasFollowingGuidance
            self.guidanceToken = guidanceToken
        }
    }

    var model: Session {
        let state: EnergyModel.Session.State =
            switch self.state {
            case .begin: .begin
            case .active: .active
            case .end: .end
            }
        return Session(
            id: id, state: state, wasFollowingGuidance: guidanceState.wasFollowingGuidance,
            guidanceToken: guidanceState.guidanceToken)
    }
}
