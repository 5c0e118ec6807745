internal import EnergyModel
internal import Foundation
internal import InsightFiles

/// Insight records as `insights --json` shows them, one after the other: a document, or a line of JSON for each.
struct InsightJSON: InsightFile {
    private let subject: InsightFileSubject
    private let isLines: Bool
    private var isFirst = true

    init(_ subject: InsightFileSubject, isLines: Bool) {
        self.subject = subject
        self.isLines = isLines
    }

    func start() -> [FilePiece] {
        guard !isLines else { return [] }
        let head = InsightsDocument.Question(subject.query, in: subject.venue.timeZone)
        return [FilePiece(JSONText.line(head).dropLast() + ",\"records\":[")]
    }

    mutating func add(_ record: InsightRecord) -> [FilePiece] {
        let line = JSONText.line(InsightsDocument.Record(record, in: subject.venue.timeZone))
        defer { isFirst = false }
        return [FilePiece(isLines ? line + "\n" : (isFirst ? "\n" : ",\n") + line)]
    }

    func finish(applied: [LogHead]) -> [FilePiece] {
        guard !isLines else { return [] }
        let heads = applied.map(InsightsDocument.Head.init)
        return [FilePiece("\n],\"applied\":\(JSONText.line(heads))}\n")]
    }
}

extension FilePiece {
    fileprivate init(_ text: some StringProtocol) { self.init(String(text)) }
}
