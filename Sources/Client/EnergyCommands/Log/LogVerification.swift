internal import EnergyModel

/// What `log verify` has found.
struct LogVerification: Encodable {
    let records: Int
    let events: Int
    let sessions: Int
    /// Records that retention has removed.
    let removedRecords: UInt64
    let faultCount: Int
    /// The first of them, and every damaged record.
    let faults: [String]
    /// All of them.
    let damagedRecords: [Place]
    /// Why the log could not be read to its end; `nil` when it was.
    let error: String?

    struct Place: Encodable {
        let partition: Int
        let sequence: UInt64
        /// Greater than `sequence` where a whole stretch cannot be read.
        let lastSequence: UInt64
    }

    init(_ verifier: LogVerifier, error: String?) {
        (records, events, sessions) = (verifier.records, verifier.events, verifier.sessions)
        removedRecords = verifier.removed
        faultCount = verifier.faultCount
        faults = verifier.damages.map(\.message) + verifier.faults
        damagedRecords = verifier.damages.map {
            Place(partition: $0.partition, sequence: $0.first, lastSequence: $0.last)
        }
        self.error = error
    }

    var lines: [String] {
        let removed = removedRecords > 0 ? ", \(removedRecords) older records were removed by retention" : ""
        let verdict = faultCount == 0 ? "no fault" : Quantities.count(faultCount, "fault")
        let end = error == nil ? "." : " in them, but the log was not read to its end."
        return faults + ["\(records) records, \(events) events, \(sessions) sessions\(removed): \(verdict)\(end)"]
    }
}
