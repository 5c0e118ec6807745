internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

struct PrivacyErase: EnergyCommand {
    /// A large log takes longer than a call may: the erasure goes on, and is asked about again.
    private static let triesMax = 120

    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase everything of a device or a venue, from all services. For good.",
        discussion: """
            Events, sessions, insights, goals, plans, progress, known tokens; of a venue also the venue itself with its \
            past. Records of the log keep their places, without the events; insights are as if the device had never been. \
            Each service writes a receipt to its audit log.

            What stays: backups that were made before, the receipts and other lines of the audit logs, and keys \
            (energyctl keys revoke). A device that still has a key and a venue can send events again: they are new. Every \
            service's database is written anew, which takes as much room again and some time; nothing is stored meanwhile.

            Done again after a failure, it goes on.

            EXAMPLE
              energyctl privacy erase --device car-1
            """)

    @OptionGroup var whose: SubjectOptions
    @Flag(name: .shortAndLong, help: "Do not ask.") var yes = false
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let (subject, name) = try await whose.subject(in: context)
        if !yes { try context.confirm("Erase everything of \(name)", "It cannot be undone.", done: "erased") }
        var receipts: [ErasureReceipt] = []
        for service in ServiceKind.keepers {
            do throws(CommandFailure) { receipts.append(try await erase(subject, from: service, in: context)) } catch {
                let done = receipts.map(\.service).joined(separator: ", ")
                throw CommandFailure(
                    error.exit,
                    error.message.asSentence
                        + (done.isEmpty ? " Nothing was erased." : " Erased from \(done) only; the same again goes on.")
                )
            }
        }
        if options.json {
            struct Document: Encodable { let receipts: [ReceiptDocument] }
            context.output.line(JSONText.document(Document(receipts: receipts.map(ReceiptDocument.init))))
        } else {
            guard receipts.contains(where: { $0.counts.contains { $0.count > 0 } }) else {
                return context.say("Nothing was kept of \(name). Is it spelt like this?")
            }
            context.output.line("Erased: \(name).")
            for receipt in receipts { context.output.line("  \(ReceiptDocument(receipt).text)") }
            context.say(
                "Backups that were made before still hold it: erase it again after restoring one. New ones do not.")
        }
    }

    private func erase(
        _ subject: DataSubject, from service: ServiceKind, in context: CommandContext
    ) async throws(CommandFailure) -> ErasureReceipt {
        let connection = try context.connection(service)
        var tries = 0
        while true {
            tries += 1
            let error: EnergyError
            do throws(EnergyError) {
                return try await connection.call(Methods.eraseData, subject, timeout: .seconds(60))
            } catch let caught { error = caught }
            // A reason to wait is named with a time; without one, the call itself was over.
            guard error.code == .unavailable, error.retryAfterMilliseconds == nil, tries < Self.triesMax,
                await context.isAnswering(service)
            else { throw await context.failure(error, from: service) }
        }
    }
}

/// A receipt for people and scripts.
struct ReceiptDocument: Encodable {
    struct Records: Encodable {
        let partition: Int
        let count: Int
        let sequences: [UInt64]
        let sha256: String
        let erasureSequence: UInt64
        let unreadable: Int
    }

    let service: String
    let venueId: String
    let deviceId: String?
    let erased: String
    let counts: [String: Int]
    let records: Records?

    init(_ receipt: ErasureReceipt) {
        service = receipt.service
        venueId = receipt.subject.venueID.text
        deviceId = receipt.subject.deviceID
        erased = "\(receipt.erased)"
        counts = Dictionary(receipt.counts.map { ($0.kind, $0.count) }, uniquingKeysWith: { $0 + $1 })
        records = receipt.records.map { records in
            Records(
                partition: records.partition, count: records.count, sequences: records.sequences,
                sha256: records.hash.hexadecimal,
                erasureSequence: records.erasureSequence, unreadable: records.unreadable)
        }
    }

    /// `1 venue revision`, `2 statuses`: services count by what they call things, one or many.
    private static func counted(_ count: Int, _ kind: String) -> String {
        let noun = kind.replacing("_", with: " ")
        guard noun != "status" else { return "\(count) \(count == 1 ? noun : "statuses")" }
        return Quantities.count(count, noun.hasSuffix("s") ? String(noun.dropLast()) : noun)
    }

    var text: String {
        let parts = counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { Self.counted($0.value, $0.key) }
        let place = records.map { records in
            " in \(Quantities.count(records.count, "record")) of partition \(records.partition)"
                + (records.unreadable > 0
                    ? "; \(records.unreadable) damaged records cannot be read, and may hold more" : "")
        }
        return TerminalText.safe(
            "\(service): \(parts.isEmpty ? "nothing" : parts.joined(separator: ", "))\(place ?? "")")
    }
}
