internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import KeyFiles
internal import ServiceEndpoints

struct PrivacyExport: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write everything that the services keep of a device or a venue.",
        discussion: """
            A line of JSON for each thing that is kept: the service, where it keeps it, and the document. Events are as in \
            log export; what else there is has the names and numbers of the service's own database (mWh, mW, Unix \
            milliseconds), so that nothing is left out. Names of keys come from the folder of keys, if it is on this \
            machine.

            EXAMPLE
              energyctl privacy export --device car-1 --output car-1.ndjson
            """)

    @OptionGroup var whose: SubjectOptions
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("A new file, which only its owner may read; none is standard output.", valueName: "file"),
        completion: .file())
    var output: String?
    @OptionGroup var keys: KeyFolderOption
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let (subject, name) = try await whose.subject(in: context)
        let file = try output.map { (path) throws(CommandFailure) in try LogFileWriter(path: path) }
        var count = 0
        func write(_ line: ExportLine) throws(CommandFailure) {
            count += 1
            let bytes = Array("\(line.text)\n".utf8)
            guard let file else { return context.output.bytes(bytes) }
            try file.write(bytes)
        }
        for service in ServiceKind.keepers {
            var pages = try await context.read(service, Methods.exportData, subject)
            while let page = try await pages.next() {
                for document in page.documents {
                    try write(ExportLine(service: service.executable, kind: document.kind, json: document.json))
                }
            }
        }
        try await writeEvents(of: subject, in: context, write)
        for client in clients(of: subject, at: context.wallClock.now) {
            try write(ExportLine(service: "keys", kind: "client", json: JSONText.line(client)))
        }
        try file?.close()
        context.output.note("\(Quantities.count(count, "line")) of \(name).")
    }

    private func writeEvents(
        of subject: DataSubject, in context: CommandContext, _ write: (ExportLine) throws(CommandFailure) -> Void
    ) async throws(CommandFailure) {
        let partition = LogPartition.of(venueID: subject.venueID)
        let heads = try await context.call(.events, Methods.logHeads, Empty()).heads
        for head in heads where head.partition == partition {
            try await context.readLog(
                head, damage: { context.output.note("Left out: \(TerminalText.safe($0.message))") },
                { (record) throws(CommandFailure) in
                    let events = record.events.filter { subject.covers(deviceID: $0.device.id) }
                    guard record.venueID == subject.venueID, !events.isEmpty else { return }
                    let part = LogRecord(
                        partition: record.partition, sequence: record.sequence, venueID: record.venueID,
                        received: record.received, principal: record.principal, events: events)
                    try write(
                        ExportLine(
                            service: ServiceKind.events.executable, kind: "log_record",
                            json: JSONText.line(LogRecordDocument(part))))
                })
        }
    }

    /// Keys that are for the venue, or called as the device is.
    private func clients(of subject: DataSubject, at now: Timestamp) -> [ClientDocument] {
        guard let list = try? keys.folder().access() else { return [] }
        return list.clients.sorted { $0.key < $1.key }.filter { name, client in
            client.venues?.contains(subject.venueID) == true
                && (subject.deviceID == nil || client.venues?.count == 1 || name == subject.deviceID)
        }.map { ClientDocument($0.key, $0.value, at: now) }
    }
}

/// One line of an export.
struct ExportLine {
    let service: String
    let kind: String
    /// A document; anything else is put in quotes, so that the line stays one.
    let json: String

    var text: String {
        let isDocument =
            !json.contains("\n") && (try? JSONSerialization.jsonObject(with: Data(json.utf8))) is [String: Any]
        struct Head: Encodable {
            let service: String
            let kind: String
        }
        let head = JSONText.line(Head(service: service, kind: kind)).dropLast()
        return "\(head),\"document\":\(isDocument ? json : JSONText.line(json))}"
    }
}
