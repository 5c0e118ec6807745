internal import EnergyModel
internal import Foundation
internal import InsightFiles

/// When a device has sessions: two of one direction at once cannot both be right. Sessions that only touch do not overlap.
struct OccupiedTimes {
    private struct Entry {
        let session: PastSession
        let id: UUID
    }

    /// Of each direction sorted, and without overlaps.
    private var entries: [FlowDirection: [Entry]] = [:]

    /// - Returns: the session that takes some of the time of `session` already.
    func overlap(with session: PastSession) -> (session: PastSession, id: UUID)? {
        let taken = entries[session.direction] ?? []
        // As these do not overlap, the last that begins before its end is the one that ends last.
        let index = Self.index(of: session.interval.end, in: taken)
        guard index > 0, taken[index - 1].session.interval.end > session.interval.start else { return nil }
        return (taken[index - 1].session, taken[index - 1].id)
    }

    /// - Precondition: it overlaps none.
    mutating func take(_ session: PastSession, id: UUID) {
        var taken = entries.removeValue(forKey: session.direction) ?? []
        taken.insert(Entry(session: session, id: id), at: Self.index(of: session.interval.end, in: taken))
        entries[session.direction] = taken
    }

    /// How many begin before the instant.
    private static func index(of instant: Timestamp, in entries: [Entry]) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].session.interval.start < instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
