internal import ServiceEndpoints
internal import Synchronization

/// Which services answer, as each of them says itself.
final class ServicePresence: Sendable {
    enum State: Hashable, Sendable {
        /// Nobody has tried yet.
        case unknown
        case serving
        case notServing(reason: String)
        case away
    }

    private let states = Mutex<[ServiceKind: State]>([:])

    subscript(service: ServiceKind) -> State { states.withLock { $0[service] ?? .unknown } }

    /// - Returns: whether that is news.
    func become(_ state: State, _ service: ServiceKind) -> Bool {
        states.withLock { states in states.updateValue(state, forKey: service) != state }
    }

    /// What is to be said about services that do not work, in the order of the services.
    func notices(in language: Language) -> [String] {
        ServiceKind.allCases.compactMap { service in
            switch self[service] {
            case .away: language(.serviceAway, service.executable)
            case .notServing(let reason): language(.serviceTrouble, service.executable, reason)
            case .unknown, .serving: nil
            }
        }
    }
}
