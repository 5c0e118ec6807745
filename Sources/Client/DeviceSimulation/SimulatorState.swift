internal import EnergyModel
internal import EnergyWire
internal import Foundation

/// All that a simulator remembers: its devices as they are, and the events that are not acknowledged yet.
///
/// Devices and events are written together, before the events are sent: whatever happens afterwards, the same events
/// are sent again under the same ids, and count once.
struct SimulatorState: Codable {
    /// Events on their way to the log.
    struct Batch: Codable {
        let deviceID: String
        /// An encoded `SubmitEventsRequest`.
        let body: Data
    }

    static let versionNow = 1
    /// Beyond this the simulation stands still until the log takes events again: nothing is lost.
    static let batchesMax = 2_000
    private static let eventsPerBatch = 200

    var version = versionNow
    let venueID: UUID
    let seed: UInt64
    var vehicle: VehicleSimulation.State
    var heatPump: HeatPumpSimulation.State
    var vehicleToken: UUID?
    var heatPumpToken: UUID?
    var outbox: [Batch] = []

    var isFull: Bool { outbox.count >= Self.batchesMax }

    /// Appends the events of one device, in order.
    mutating func post(_ events: [Event], deviceID: String) {
        for start in stride(from: 0, to: events.count, by: Self.eventsPerBatch) {
            let part = Array(events[start..<min(start + Self.eventsPerBatch, events.count)])
            outbox.append(Batch(deviceID: deviceID, body: Data(EventBatch(events: part).encoded())))
        }
    }
}

/// One JSON file, replaced as a whole.
struct SimulatorStateFile {
    let url: URL

    /// The venue of the household that the file holds; `nil` when there is none, or it cannot be read.
    var lastVenueID: UUID? {
        (try? JSONDecoder().decode(SimulatorState.self, from: Data(contentsOf: url)))?.venueID
    }

    /// - Returns: `nil` when there is no file, or one of another venue or seed: those devices are others.
    /// - Throws: ``EnergyError`` `.unavailable` when the file cannot be read.
    func load(venueID: UUID, seed: UInt64) throws(EnergyError) -> SimulatorState? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        do {
            let state = try JSONDecoder().decode(SimulatorState.self, from: Data(contentsOf: url))
            guard state.version == SimulatorState.versionNow else {
                throw EnergyError(.unavailable, "\(url.path) was written by another version of this program")
            }
            return state.venueID == venueID && state.seed == seed ? state : nil
        } catch let error as EnergyError {
            throw error
        } catch {
            throw EnergyError(.unavailable, "\(url.path) cannot be read as a simulator's state: move it away")
        }
    }

    /// - Throws: ``EnergyError`` `.unavailable` when the file cannot be written; the old one is still there then.
    func save(_ state: SimulatorState) throws(EnergyError) {
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            try encoder.encode(state).write(to: url, options: .atomic)
        } catch {
            throw EnergyError(.unavailable, "\(url.path) cannot be written: \(error.localizedDescription)")
        }
    }
}
