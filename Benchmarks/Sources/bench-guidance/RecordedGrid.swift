import EnergyModel
import Foundation

/// A recorded signal of one region.
struct RecordedGrid: Sendable {
    /// Of the file, without its ending.
    let name: String
    let timeZone: TimeZone
    let series: SignalSeries

    /// Columns that hold a signal, the preferred first.
    static let columns = [
        "ci_direct_g_per_kwh", "moer_kg_per_kwh", "moer_kg_per_kwh_mean", "HB_HUBAVG_usd_per_mwh",
    ]
    private static let timeColumns = ["utc_time", "utc_hour"]
    private static let timeZones = [
        "CISO": "America/Los_Angeles", "PGE": "America/Los_Angeles", "SCE": "America/Los_Angeles",
        "BPAT": "America/Los_Angeles", "PJM": "America/New_York", "ISNE": "America/New_York",
        "NYISO": "America/New_York", "NYIS": "America/New_York", "FPL": "America/New_York", "DUK": "America/New_York",
        "ERCO": "America/Chicago", "ERCOT": "America/Chicago", "MISO": "America/Chicago", "SWPP": "America/Chicago",
        "SPP": "America/Chicago", "SOCO": "America/Chicago", "TVA": "America/Chicago", "GB": "Europe/London",
        "DE": "Europe/Berlin", "FR": "Europe/Paris", "ES": "Europe/Madrid", "PL": "Europe/Warsaw",
        "SE": "Europe/Stockholm", "NL": "Europe/Amsterdam",
    ]

    /// One per file that has a signal, sorted by name.
    static func all(in folder: String) throws -> [RecordedGrid] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".csv") }.sorted()
            .compactMap { try RecordedGrid(path: folder + "/" + $0) }
    }

    init?(path: String) throws {
        name = URL(filePath: path).deletingPathExtension().lastPathComponent
        let region = name.split(whereSeparator: { "_-.".contains($0) }).first.map { $0.uppercased() } ?? ""
        let zone = TimeZone(identifier: Self.timeZones[region] ?? "UTC") ?? .gmt
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline)
        guard let header = lines.first?.split(separator: ",", omittingEmptySubsequences: false).map(String.init),
            let column = Self.columns.lazy.compactMap({ header.firstIndex(of: $0) }).first
        else { return nil }
        let time = Self.timeColumns.lazy.compactMap { header.firstIndex(of: $0) }.first
        guard let times = Self.reader(header, time, zone) else { return nil }
        var points: [(start: Timestamp, value: Double)] = []
        for line in lines.dropFirst() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count > column, let value = Double(fields[column]), let start = times(fields) else { continue }
            points.append((start, value))
        }
        guard points.count > 1 else { return nil }
        let step = zip(points, points.dropFirst()).map { $1.start.milliseconds(since: $0.start) }.min() ?? 0
        guard step > 0 else { throw Failure("\(path): the times do not grow") }
        series = SignalSeries(
            points.map {
                SignalPoint(
                    interval: Interval(start: $0.start, milliseconds: step), value: $0.value,
                    isEstimated: false)
            })
        timeZone = zone
    }

    /// What reads the start of a row's hour.
    private static func reader(_ header: [String], _ column: Int?, _ zone: TimeZone) -> (([Substring]) -> Timestamp?)? {
        if let column {
            return { fields in fields.count > column ? utc(fields[column]) : nil }
        }
        // ERCOT: local date, the hour's end, and whether it is the second of its name.
        guard header.prefix(3) == ["Delivery Date", "Hour Ending", "Repeated Hour Flag"] else { return nil }
        return { fields in
            let date = fields[0].split(separator: "/").compactMap { Int64($0) }
            guard date.count == 3, let hour = Int64(fields[1].prefix(2)),
                let day = utc("\(date[2])-\(padded(date[0]))-\(padded(date[1]))T00:00:00Z")
            else { return nil }
            let local = day.advanced(byMilliseconds: (hour - 1) * .millisecondsPerHour)
            // Standard time is the smaller offset: the second of two hours, and the only one when they agree.
            let offsets = [-12, 12].map {
                zone.offsetMilliseconds(at: local.advanced(byMilliseconds: $0 * .millisecondsPerHour + 21_600_000))
            }
            let starts = offsets.map { local.advanced(byMilliseconds: -$0) }.filter { start in
                start.advanced(byMilliseconds: zone.offsetMilliseconds(at: start)) == local
            }
            return fields[2] == "Y" ? starts.max() : starts.min()
        }
    }

    private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// `2021-07-01T00:00:00Z`, and nothing else: a formatter would take minutes for a year of five minutes.
    private static func utc(_ text: some StringProtocol) -> Timestamp? {
        let digits = text.utf8.map { Int64($0) - 48 }
        guard digits.count == 20 else { return nil }
        func number(_ range: Range<Int>) -> Int64 { digits[range].reduce(0) { $0 * 10 + $1 } }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        return Timestamp(
            unixMilliseconds: days * .millisecondsPerDay + number(11..<13) * .millisecondsPerHour
                + number(14..<16) * .millisecondsPerMinute + number(17..<19) * 1000)
    }
}
