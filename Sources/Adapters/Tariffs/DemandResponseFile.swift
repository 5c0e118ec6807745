public import EnergyModel
public import EnergyStore
internal import Foundation
internal import Synchronization

/// Demand-response events in a file that a utility's program, or a person, writes; read again when it has changed.
///
/// What it may hold: ``DemandResponseDocument``. A file that is not there declares nothing.
public final class DemandResponseFile: DemandResponseSource {
    public let name: String
    private let path: String
    private struct State {
        var modified: Date?
        var size: Int?
        var events: [DemandResponseEvent] = []
    }
    private let state = Mutex(State())

    public init(path: String) {
        self.path = path
        name = "file:" + String((path.split(separator: "/").last ?? "").prefix(40))
    }

    public func events(now: Timestamp) async throws(EnergyError) -> [DemandResponseEvent] {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let attributes else { return [] }
        let (modified, size) = (attributes[.modificationDate] as? Date, attributes[.size] as? Int)
        let known = state.withLock { $0.modified == modified && $0.size == size && modified != nil ? $0.events : nil }
        if let known { return known }
        guard size ?? 0 <= TariffFormat.bytesMax, let bytes = FileManager.default.contents(atPath: path) else {
            throw EnergyError(.unavailable, "\(path) cannot be read, or has more than 8 MiB")
        }
        let events = try DemandResponseDocument.read(Array(bytes))
        state.withLock { $0 = State(modified: modified, size: size, events: events) }
        return events
    }
}
