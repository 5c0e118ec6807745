public import EnergyModel
public import EnergyStore
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import Synchronization

extension ServiceHost {
    /// Of one page of an export; a document is a row of some hundred bytes.
    private static let documentsPerPage = 500

    /// Answers `Privacy/Export` and `Privacy/Erase`. Each erasure's receipt is written to the audit log.
    ///
    /// - Parameters:
    ///   - store: what is exported.
    ///   - erase: removes everything of a subject. Goes on when its caller is gone: who calls again gets the same end.
    public func servePrivacy(
        _ store: any DocumentStore,
        erase: @escaping @Sendable (DataSubject) async throws(EnergyError) -> ErasureReceipt
    ) {
        let running = RunningErasures { (subject) async throws(EnergyError) in
            let receipt = try await erase(subject)
            self.publisher.forgetPublications { Topics.isTopic($0, of: subject) }
            await self.noteErasure(ReceiptDocument(receipt).json)
            return receipt
        }
        serve { table in
            table.on(Methods.exportData) { (subject, _, write) async throws(EnergyError) in
                var skipped = 0
                while true {
                    let page = try await store.documents(
                        of: subject, skipped: skipped, countMax: Self.documentsPerPage)
                    try await write(ExportPage(documents: page))
                    skipped += page.count
                    if page.count < Self.documentsPerPage { return }
                }
            }
            table.on(Methods.eraseData) { (subject, _) async throws(EnergyError) in
                try await running.erase(subject).get()
            }
        }
    }
}

/// One erasure of a subject at a time, which takes the time that it needs: longer than a call may, when a log is large.
private final class RunningErasures: Sendable {
    typealias Outcome = Result<ErasureReceipt, EnergyError>

    private let body: @Sendable (DataSubject) async throws(EnergyError) -> ErasureReceipt
    private let running = Mutex<[DataSubject: Task<Outcome, Never>]>([:])

    init(_ body: @escaping @Sendable (DataSubject) async throws(EnergyError) -> ErasureReceipt) { self.body = body }

    func erase(_ subject: DataSubject) async -> Outcome {
        let task = running.withLock { running in
            if let task = running[subject] { return task }
            let task = Task<Outcome, Never> {
                let outcome: Outcome
                do throws(EnergyError) { outcome = .success(try await self.body(subject)) } catch {
                    outcome = .failure(error)
                }
                self.running.withLock { $0[subject] = nil }
                return outcome
            }
            running[subject] = task
            return task
        }
        return await task.value
    }
}

/// A receipt as the audit log has it.
private struct ReceiptDocument: Encodable {
    let venueID: String
    let deviceID: String?
    let erasedUnixMs: Int64
    let counts: [String: Int]
    let partition: Int?
    let records: Int?
    let firstRecord: UInt64?
    let lastRecord: UInt64?
    let unreadableRecords: Int?
    let erasureRecord: UInt64?
    let sha256: String?

    init(_ receipt: ErasureReceipt) {
        venueID = receipt.subject.venueID.uuidString.lowercased()
        deviceID = receipt.subject.deviceID
        erasedUnixMs = receipt.erased.unixMilliseconds
        counts = Dictionary(receipt.counts.map { ($0.kind, $0.count) }, uniquingKeysWith: +)
        partition = receipt.records?.partition
        records = receipt.records?.count
        firstRecord = receipt.records?.sequences.first
        lastRecord = receipt.records?.sequences.last
        unreadableRecords = receipt.records?.unreadable
        erasureRecord = receipt.records?.erasureSequence
        sha256 = receipt.records?.hash.hexadecimal
    }

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
