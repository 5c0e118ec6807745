internal import EnergyModel
public import Foundation

extension ElectricHVACLoadEvent {
    /// One continuous use of electricity, from begin to end.
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

extension ElectricHVACLoadEvent.Session {
    /// Where in the session an event stands: one begin, any number of active, one end.
    public enum State: Codable, Hashable, Sendable {
        /// The stage is 0: it is about to start.
        case begin
        /// The stage is 0: it has stopped.
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
