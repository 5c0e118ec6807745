import EnergyModel
import EnergyStore
import Foundation
import Testing

@testable import EnergyCommands

/// What did not come along with a store is said.
struct MigrationViewTests {
    private let sentence =
        "retention had removed 20 records from the log, and ids of events in those that it removed before they were "
        + "copied were not moved: such an event is stored twice if it is sent again."

    private func report(removedRecords: Int) -> MigrationReport {
        MigrationReport(
            service: .eventIngestor, state: .finished,
            tables: [.init(name: "log_record", rows: 10, written: 10, removed: 0)], removedRecords: removedRecords)
    }

    @Test func `people are told that events of removed records are not known any more, where there are any`() {
        let home = FakeHome()
        MigrationView(reports: [report(removedRecords: 0)]).show(in: home.context())
        #expect(!home.output.text.contains("retention"))
        MigrationView(reports: [report(removedRecords: 20)]).show(in: home.context())
        #expect(home.output.lines.contains("event-ingestor: \(sentence)"))
    }

    @Test(arguments: [0, 20])
    func `programs are told the same`(removedRecords: Int) throws {
        let text = JSONText.document(MigrationDocument([report(removedRecords: removedRecords)]))
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: [[String: Any]]])
        let service = try #require(document["services"]?.first)
        let expected: String? = removedRecords == 0 ? nil : sentence
        #expect(service["not_moved"] as? String == expected)
    }
}
