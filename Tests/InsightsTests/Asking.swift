import EnergyModel
import EnergyStore
import Foundation
import Insights
import Synchronization

extension InsightService {
    /// All pages of the answer.
    func pages(_ query: InsightQuery) async throws(EnergyError) -> [InsightPage] {
        var pages: [InsightPage] = []
        try await answer(query) { (page) async throws(EnergyError) in pages.append(page) }
        return pages
    }

    func records(_ query: InsightQuery) async throws(EnergyError) -> [InsightRecord] {
        try await pages(query).flatMap(\.records)
    }
}

extension Sequence<InsightAmount> {
    var sum: InsightAmount { reduce(.zero, +) }
}

extension Interval {
    init(_ start: String, _ end: String) throws {
        let start = Timestamp(try Date(start, strategy: .iso8601))
        self.init(start: start, milliseconds: Timestamp(try Date(end, strategy: .iso8601)).milliseconds(since: start))
    }
}

extension Timestamp {
    init(_ text: String) throws { self.init(try Date(text, strategy: .iso8601)) }
}
