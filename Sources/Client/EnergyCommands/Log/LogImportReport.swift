internal import EnergyModel
internal import EnergyWire

/// What became of a file's records.
struct LogImportReport: Encodable {
    /// Told one by one; more are counted.
    static let faultsMax = 100

    struct Fault: Encodable {
        /// Of the file: `line 3`.
        let place: String
        /// Of the log it came from; absent where no record could be read.
        let partition: Int?
        let sequence: UInt64?
        /// Absent where the record as a whole is meant.
        let field: String?
        let reason: String
    }

    private(set) var eventsStored = 0
    /// In the log before.
    private(set) var eventsKnown = 0
    private(set) var records = 0
    private(set) var recordsUnreadable = 0
    private(set) var recordsRefused = 0
    private(set) var faults: [Fault] = []

    var faultCount: Int { recordsUnreadable + recordsRefused }

    mutating func submitted(_ result: SubmitResult) {
        records += 1
        eventsStored += result.accepted
        eventsKnown += result.duplicates
    }

    /// - Returns: what to say of it; `nil` when enough was said.
    mutating func unreadable(_ fault: LogFault, at place: String) -> String? {
        records += 1
        recordsUnreadable += 1
        return add(
            Fault(
                place: place, partition: nil, sequence: nil, field: fault.field.isEmpty ? nil : fault.field,
                reason: fault.reason), "\(place): \(fault.description)")
    }

    mutating func refused(_ record: LogRecord, _ failure: CommandFailure, at place: String) -> String? {
        records += 1
        recordsRefused += 1
        return add(
            Fault(
                place: place, partition: record.partition, sequence: record.sequence, field: nil,
                reason: failure.message),
            "\(place) (record \(record.sequence) of partition \(record.partition)): \(failure.message)")
    }

    private mutating func add(_ fault: Fault, _ text: String) -> String? {
        guard faults.count < Self.faultsMax else {
            return faultCount == Self.faultsMax + 1 ? "Further ones are only counted." : nil
        }
        faults.append(fault)
        return text
    }

    var summary: String {
        let stored =
            "\(Quantities.count(eventsStored, "event")) stored, \(eventsKnown) known before"
            + " (\(Quantities.count(records, "record")))."
        guard faultCount > 0 else { return stored }
        return stored + " Not stored: \(Quantities.count(recordsUnreadable, "record")) that cannot be read, "
            + "\(recordsRefused) refused."
    }
}
