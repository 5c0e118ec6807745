internal import EnergyModel
internal import EnergyStore
internal import Foundation

/// What became of each service's store, and what is to be done next.
struct MigrationView {
    let reports: [MigrationReport]

    func show(in context: CommandContext) {
        var table = Table([
            .init("service", shrinks: true), .init("rows", .right), .init("written", .right, dropOrder: 1),
            .init("removed", .right, dropOrder: 2), .init("state"),
        ])
        for report in reports {
            let isCounted = !report.isFinishedBefore
            table.add([
                .init(report.service.rawValue), .init(isCounted ? "\(report.rows)" : ""),
                .init(isCounted ? "\(report.written)" : ""), .init(isCounted ? "\(report.removed)" : ""),
                .init(report.state.word, report.state.color),
            ])
        }
        table.lines(context.style).forEach(context.output.line)
        let running = reports.filter { $0.state == .copied }.map(\.service.rawValue)
        if !running.isEmpty {
            context.say(
                "\(running.joined(separator: ", ")) still \(running.count == 1 ? "runs" : "run"): stop "
                    + "\(running.count == 1 ? "it" : "them") and run this again, for what came meanwhile and to compare every "
                    + "row.")
        }
        let finished = reports.filter { $0.state == .finished }.map(\.service.rawValue)
        if !finished.isEmpty {
            context.say(
                "\(finished.joined(separator: ", ")): every row was compared. Set store.postgresql for "
                    + "\(finished.count == 1 ? "it" : "them") before the next start. The files keep what they held, and "
                    + "no service starts on them: remove them when all is well.")
        }
        for report in reports {
            if let notMoved = report.notMoved { context.say("\(report.service.rawValue): \(notMoved)") }
        }
        for report in reports {
            guard case .finishedBefore(let time) = report.state else { continue }
            context.say(
                "\(report.service.rawValue) was moved at \(time.iso8601(in: .gmt)) already, and its file still holds what it "
                    + "held then: nothing was written."
            )
        }
    }
}

extension MigrationReport {
    var rows: Int { tables.reduce(0) { $0 + $1.rows } }
    var written: Int { tables.reduce(0) { $0 + $1.written } }
    var removed: Int { tables.reduce(0) { $0 + $1.removed } }

    /// A sentence on what did not come along; `nil` when everything did.
    var notMoved: String? {
        guard removedRecords > 0 else { return nil }
        let records = removedRecords == 1 ? "record" : "records"
        return "retention had removed \(removedRecords) \(records) from the log, and ids of events in those that it "
            + "removed before they were copied were not moved: such an event is stored twice if it is sent again."
    }

    fileprivate var isFinishedBefore: Bool {
        if case .finishedBefore = state { true } else { false }
    }
}

extension MigrationReport.State {
    var word: String {
        switch self {
        case .copied: "copied"
        case .finished: "finished"
        case .finishedBefore: "finished before"
        }
    }

    fileprivate var color: Style.Color? { self == .copied ? .yellow : .green }
}

/// For programs.
struct MigrationDocument: Encodable {
    struct Service: Encodable {
        let service: String
        /// `copied`, `finished` or `finished before`.
        let state: String
        /// ISO 8601; of one that was finished before.
        let finished: String?
        let tables: [Table]
        /// A sentence; absent when everything was moved.
        let notMoved: String?
    }

    struct Table: Encodable {
        let name: String
        let rows: Int
        let written: Int
        let removed: Int
    }

    let services: [Service]

    init(_ reports: [MigrationReport]) {
        services = reports.map { report in
            var finished: String?
            if case .finishedBefore(let time) = report.state { finished = time.iso8601(in: .gmt) }
            return Service(
                service: report.service.rawValue, state: report.state.word, finished: finished,
                tables: report.tables.map {
                    Table(name: $0.name, rows: $0.rows, written: $0.written, removed: $0.removed)
                }, notMoved: report.notMoved)
        }
    }
}
