import EnergyModel
import Foundation
import Tariffs
import Testing

/// What these tests read and compare.
enum TariffParts {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/data/tariffs").standardizedFileURL.path
    static var isThere: Bool { FileManager.default.isReadableFile(atPath: "\(folder)/README.md") }

    static func terms(_ zone: String = "America/Los_Angeles", holidays: [Holiday] = []) throws -> TariffTerms {
        TariffTerms(id: "plan", timeZone: try #require(TimeZone(identifier: zone)), holidays: holidays)
    }

    static func file(_ name: String, _ terms: TariffTerms? = nil) throws -> ImportedTariff {
        let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
        return try TariffFormat.read(Array(bytes), try terms ?? Self.terms())
    }

    static func read(
        _ text: String, _ format: TariffFormat? = nil, _ terms: TariffTerms? = nil
    ) throws -> ImportedTariff {
        try TariffFormat.read(Array(text.utf8), format: format, try terms ?? Self.terms())
    }

    /// What the refusal of a document names.
    static func refusal(_ text: String, _ format: TariffFormat? = nil) throws -> RuleViolation {
        let error = #expect(throws: EnergyError.self) { try read(text, format) }
        #expect(error?.code == .invalidInput)
        return try #require(error?.violations.first, "\(error?.message ?? "")")
    }

    static func time(_ text: String) throws -> Timestamp {
        Timestamp(try #require(ISO8601DateFormatter().date(from: text), "\(text)"))
    }

    static func micros(_ plan: RatePlan, _ time: String) throws -> Int64? {
        plan.rate(at: try self.time(time)).price?.microsPerKilowattHour
    }

    static func expectSamePrices(_ a: RatePlan, _ b: RatePlan, year: Int = 2024) throws {
        let whole = try #require(
            Interval(start: try time("\(year)-01-01T00:00:00Z"), end: try time("\(year + 1)-01-01T00:00:00Z")))
        func prices(_ plan: RatePlan) -> [PricedInterval] {
            plan.priced(whole).map { PricedInterval(interval: $0.interval, price: $0.price, peak: .unknown) }
        }
        for part in prices(a) { #expect(b.rate(at: part.interval.start).price == part.price, "\(part.interval)") }
        for part in prices(b) { #expect(a.rate(at: part.interval.start).price == part.price, "\(part.interval)") }
    }
}
