internal import EnergyModel
internal import Foundation

/// Sessions of one device and direction that take the same time. Each is counted as it was reported: two reports of one
/// charge count its energy twice.
struct OverlappingSessions {
    /// Those that overlap another one.
    let ids: Set<UUID>
    /// Whose they are, sorted.
    let devices: [String]

    private struct Course: Hashable {
        let deviceID: String
        let direction: FlowDirection
    }

    init(_ sessions: [SessionInsight]) {
        var (ids, devices): (Set<UUID>, Set<String>) = ([], [])
        let courses = Dictionary(grouping: sessions) { Course(deviceID: $0.deviceID, direction: $0.direction) }
        for (course, sessions) in courses {
            // That which ends last of those before.
            var longest: SessionInsight?
            for session in sessions.sorted(by: { $0.began < $1.began }) {
                if let longest, session.began < longest.last, session.began < session.last {
                    ids.formUnion([longest.id, session.id])
                    devices.insert(course.deviceID)
                }
                if session.last > longest?.last ?? session.began { longest = session }
            }
        }
        (self.ids, self.devices) = (ids, devices.sorted())
    }

    /// `nil` where none overlap.
    var sentence: String? {
        guard !ids.isEmpty else { return nil }
        let names = devices.map(TerminalText.safe).joined(separator: ", ")
        return
            "\(Quantities.count(ids.count, "session")) of \(names) overlap: each counts, so that energy which two of "
            + "them report counts twice."
    }
}
