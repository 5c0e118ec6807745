public import EnergyModel
internal import Foundation

/// Insight records as a Green Button file: Atom with ESPI inside. A venue is a usage point, each device in it a meter
/// reading with a reading type of its own, each of its calendar months a block of intervals.
///
/// Values are whole mWh (unit 72, Wh, at 10^-3), so nothing is rounded. A cost stands where all energy of the period has
/// a price, in one currency. Run time, classes and carbon have no place in this format.
///
/// - Source: NAESB REQ.21 ESPI 4.0, `espi.xsd`; RFC 4287.
public struct InsightESPI: InsightFile {
    private let subject: InsightFileSubject
    private let stamp: LocalStamp
    private let stampUTC = LocalStamp(.gmt)
    private var meter: ESPIMeter?
    private var block: [InsightRecord] = []

    private enum Lane {
        static let head = 0
        static let meters = 1
        static let blocks = 2
        static let end = 3
    }

    public init(_ subject: InsightFileSubject) {
        self.subject = subject
        stamp = LocalStamp(subject.venue.timeZone)
    }

    // MARK: The file

    public func start() -> [FilePiece] {
        let venue = subject.venue
        let rules = DSTRules(of: venue.timeZone, at: subject.query.range.end.advanced(byMilliseconds: -1))
        func hex(_ rule: UInt32) -> String {
            let digits = String(rule, radix: 16, uppercase: true)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }
        let head = """
            <?xml version="1.0" encoding="UTF-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom">
            <id>\(urn("feed"))</id>
            <title>\(XMLText.escaped(venue.name))</title>
            <updated>\(updated)</updated>
            <link rel="self" href="\(Self.path(venuePath))"/>
            """
        let time = entry(
            "LocalTimeParameters/01", title: "Clocks of \(venue.timeZone.identifier)",
            """
            <LocalTimeParameters xmlns="http://naesb.org/espi"><dstEndRule>\(hex(rules.end))</dstEndRule>\
            <dstOffset>\(rules.savingSeconds)</dstOffset><dstStartRule>\(hex(rules.start))</dstStartRule>\
            <tzOffset>\(rules.standardSeconds)</tzOffset></LocalTimeParameters>
            """)
        let point = entry(
            venuePath, title: venue.name, related: ["\(venuePath)/MeterReading", "LocalTimeParameters/01"],
            #"<UsagePoint xmlns="http://naesb.org/espi"><ServiceCategory><kind>0</kind></ServiceCategory></UsagePoint>"#
        )
        return [FilePiece(head + "\n" + time + point, lane: Lane.head)]
    }

    /// A reading has a value, and heating and cooling measure none.
    public func takes(_ record: InsightRecord) -> Bool { record.measuresEnergy }

    public mutating func add(_ record: InsightRecord) -> [FilePiece] {
        guard takes(record) else { return [] }
        var pieces: [FilePiece] = []
        let isSameMeter = meter.map { $0.isOf(record) } ?? false
        if !isSameMeter || block.first.map({ month($0) != month(record) }) ?? false { pieces += endBlock() }
        if !isSameMeter {
            pieces += endMeter()
            meter = ESPIMeter(record, of: subject.query)
        }
        meter?.note(record)
        block.append(record)
        return pieces
    }

    public mutating func finish(applied: [LogHead]) -> [FilePiece] {
        if meter == nil { meter = ESPIMeter(nil, of: subject.query) }
        return endBlock() + endMeter() + [FilePiece("</feed>\n", lane: Lane.end)]
    }

    // MARK: Meters and blocks

    private mutating func endMeter() -> [FilePiece] {
        guard let meter else { return [] }
        self.meter = nil
        let path = "\(venuePath)/MeterReading/\(meter.name)"
        let reading = entry(
            path, title: meter.title, related: ["\(path)/IntervalBlock", "ReadingType/\(meter.name)"],
            #"<MeterReading xmlns="http://naesb.org/espi"/>"#)
        let type = entry("ReadingType/\(meter.name)", title: "Energy of \(meter.title)", meter.readingType)
        return [FilePiece(reading + type, lane: Lane.meters)]
    }

    private mutating func endBlock() -> [FilePiece] {
        guard let meter, let first = block.first, let last = block.last,
            let whole = Interval(start: first.interval.start, end: last.interval.end)
        else { return [] }
        let readings = block.map(meter.reading).joined(separator: "\n")
        block = []
        let path = "\(venuePath)/MeterReading/\(meter.name)/IntervalBlock/\(stamp.monthText(of: whole.start))"
        let text = entry(
            path, title: "",
            """
            <IntervalBlock xmlns="http://naesb.org/espi">
            <interval>\(ESPIMeter.duration(whole))</interval>
            \(readings)
            </IntervalBlock>
            """)
        return [FilePiece(text, lane: Lane.blocks)]
    }

    private func month(_ record: InsightRecord) -> String { stamp.monthText(of: record.interval.start) }

    // MARK: Entries

    private var venuePath: String { "UsagePoint/\(subject.venue.id.uuidString.lowercased())" }

    /// ISO 8601 in UTC.
    private var updated: String { stampUTC.text(subject.written) }

    /// The same for the same resource in every file: who reads two files knows what they have in common.
    private func urn(_ path: String) -> String {
        let query = subject.query
        let name =
            "espi/\(subject.venue.id.uuidString)/\(query.granularity.rawValue)/\(query.direction.rawValue)/\(path)"
        return "urn:uuid:\(UUID(naming: name).uuidString.lowercased())"
    }

    /// - Parameter path: of the resource, below that of its collection.
    private func entry(_ path: String, title: String, related: [String] = [], _ content: String) -> String {
        let collection = path.split(separator: "/").dropLast().joined(separator: "/")
        let links = related.map { #"<link rel="related" href="\#(Self.path($0))"/>"# + "\n" }.joined()
        return """
            <entry>
            <id>\(urn(path))</id>
            <link rel="self" href="\(Self.path(path))"/>
            <link rel="up" href="\(Self.path(collection))"/>
            \(links)<title>\(XMLText.escaped(title))</title>
            <content>
            \(content)
            </content>
            <published>\(updated)</published>
            <updated>\(updated)</updated>
            </entry>

            """
    }

    private static func path(_ path: String) -> String { XMLText.escaped("/espi/1_1/resource/\(path)") }
}
