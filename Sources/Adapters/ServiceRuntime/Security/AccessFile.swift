internal import EnergyModel
internal import EnergyTransport
internal import Foundation
internal import KeyFiles
internal import Synchronization
internal import ZeroMQ
internal import ZeroMQTransport

/// `access.yaml` as it is now: read again when it changes.
final class AccessFile: Admission {
    /// Which version of a file this is.
    private struct Stamp: Equatable {
        let inode: Int?
        let changed: Date?
        let byteCount: Int?

        init?(_ path: String) {
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
            inode = attributes[.systemFileNumber] as? Int
            changed = attributes[.modificationDate] as? Date
            byteCount = attributes[.size] as? Int
        }
    }

    private struct State {
        var list: AccessList
        var stamp: Stamp?
        var principals: [String: Principal]
        var current: Set<Principal>
        var nextChange: Timestamp?

        init(_ list: AccessList, _ stamp: Stamp?, at now: Timestamp) {
            self.list = list
            self.stamp = stamp
            principals = list.principals(at: now)
            current = Set(principals.values)
            nextChange = list.nextChange(after: now)
        }
    }

    let path: String
    private let clock: any WallClock
    private let state: Mutex<State>

    init(path: String, clock: any WallClock) throws(KeyFileError) {
        self.path = path
        self.clock = clock
        // Before the reading: a change in between is then found.
        let stamp = Stamp(path)
        state = Mutex(State(try AccessList(path: path), stamp, at: clock.now))
    }

    func principal(ofKey key: String) -> Principal? { state.withLock { $0.principals[key] } }

    func isCurrent(_ principal: Principal) -> Bool { state.withLock { $0.current.contains(principal) } }

    var list: AccessList { state.withLock { $0.list } }

    /// Those that it may have now, the likeliest first.
    func serviceKeys(_ name: String) -> [CurveKey] {
        let now = clock.now
        return state.withLock { $0.list.serviceKeys(name, at: now) }
    }

    /// Reads the file again if it has changed, and drops keys whose time is over.
    ///
    /// - Returns: who may do something else now; `nil` when nobody may.
    /// - Throws: when the file is wrong now; what was known stays in force, and the same version is not read again.
    func refresh() throws(KeyFileError) -> AccessChange? {
        let (now, stamp) = (clock.now, Stamp(path))
        let (known, nextChange, list) = state.withLock { ($0.stamp, $0.nextChange, $0.list) }
        guard stamp != known || nextChange.map({ $0 <= now }) == true else { return nil }
        var fresh = list
        if stamp != known {
            state.withLock { $0.stamp = stamp }
            fresh = try AccessList(path: path)
        }
        return state.withLock { state in
            let before = state.principals
            state = State(fresh, stamp, at: now)
            return AccessChange(from: before, to: state.principals)
        }
    }
}
