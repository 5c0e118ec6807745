internal import EnergyModel

/// What stands at one place of a file.
enum LogFileEntry {
    case record(LogRecord)
    case fault(LogFault)
}

/// Why something is no record: which field, if it is one, and what is wrong with it.
struct LogFault: Error, Hashable {
    /// By its name in the contract, from the record on: `events[2].vehicle_load.direction`. Empty for the whole.
    let field: String
    /// Ends the sentence that the field begins.
    let reason: String

    init(_ field: String, _ reason: String) { (self.field, self.reason) = (field, reason) }

    init(_ reason: String) { self.init("", reason) }

    func within(_ path: String) -> LogFault { LogFault(field.isEmpty ? path : "\(path).\(field)", reason) }

    var description: String { field.isEmpty ? reason : "\(field) \(reason)" }
}
