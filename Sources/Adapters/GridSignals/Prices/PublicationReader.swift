internal import EnergyModel
internal import Foundation
internal import FoundationXML

/// Reads a ``PublicationDocument`` from XML.
///
/// Foundation's parser, which is libxml2: it adds 3 MiB to what is resident (1 MiB of it private), and 8 days of
/// quarter-hours take 8 ms. Documents with a DOCTYPE, and so with entities of their own, are refused before.
final class PublicationReader: NSObject, XMLParserDelegate {
    static let pointsMax = 50_000
    static let depthMax = 20
    static let textBytesMax = 2_000

    private var document = PublicationDocument()
    private var path: [String] = []
    private var text = ""
    private var points = 0
    private var failure: EnergyError?
    private var position: Int?
    private var amount: Decimal?

    /// - Throws: ``EnergyError`` `.unavailable` for half a document, `.invalidInput` for one of another form.
    static func read(_ bytes: [UInt8]) throws(EnergyError) -> PublicationDocument {
        let data = Data(bytes)
        // A zero byte would be UTF-16, in which a DOCTYPE could hide.
        if bytes.contains(0) || data.range(of: Data("<!DOCTYPE".utf8)) != nil {
            throw EnergyError(.invalidInput, "the answer is XML of another kind than documented")
        }
        let (reader, parser) = (PublicationReader(), XMLParser(data: data))
        parser.delegate = reader
        // On Linux the parser takes a document that ends early for a whole one.
        let isWhole = parser.parse() && reader.path.isEmpty && !reader.document.root.isEmpty
        if let failure = reader.failure { throw failure }
        guard isWhole else { throw EnergyError(.unavailable, "the answer is not XML, or only half of it") }
        return reader.document
    }

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        let name = Self.local(element)
        if path.isEmpty { document.root = name }
        path.append(name)
        text = ""
        switch name {
        case "TimeSeries": document.series.append(PublicationDocument.Series())
        case "Period": withSeries { $0.periods.append(PublicationDocument.Period()) }
        case "Point": (position, amount) = (nil, nil)
        default: break
        }
        if path.count > Self.depthMax { fail(parser, "nests too deep") }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        guard text.utf8.count + string.utf8.count <= Self.textBytesMax else {
            return fail(parser, "has a text that is too long")
        }
        text += string
    }

    func parser(_ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?) {
        let value = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let parent = path.dropLast().last ?? ""
        switch (parent, path.last ?? "") {
        case ("Reason", "text"): document.reasons.append(value)
        case (_, "createdDateTime") where path.count == 2: document.created = value
        case ("TimeSeries", let name): end(ofSeries: name, value, parser)
        case ("timeInterval", "start"): withPeriod { $0.start = value }
        case ("timeInterval", "end"): withPeriod { $0.end = value }
        case ("Period", "resolution"): withPeriod { $0.resolution = value }
        case ("Period", "Point"): endPoint(parser)
        case ("Point", "position"): position = Int(value)
        case ("Point", "price.amount") where !value.isEmpty:
            amount = Decimal(plainText: value)
            if amount == nil { fail(parser, "has a price that is no number") }
        default: break
        }
        path.removeLast()
        text = ""
    }

    private func end(ofSeries name: String, _ value: String, _ parser: XMLParser) {
        switch name {
        case "currency_Unit.name": withSeries { $0.currency = value }
        case "price_Measure_Unit.name": withSeries { $0.unit = value }
        case "contract_MarketAgreement.type": withSeries { $0.contract = value }
        case "curveType": withSeries { $0.curve = value }
        case "classificationSequence_AttributeInstanceComponent.position":
            guard let auction = Int(value) else { return fail(parser, "has an auction that is no number") }
            withSeries { $0.auction = auction }
        default: break
        }
    }

    private func endPoint(_ parser: XMLParser) {
        points += 1
        guard let position else { return fail(parser, "has a point without position") }
        guard points <= Self.pointsMax else { return fail(parser, "has more points than are taken") }
        withPeriod { $0.amounts[position] = .some(amount) }
    }

    private func withSeries(_ change: (inout PublicationDocument.Series) -> Void) {
        guard let last = document.series.indices.last else { return }
        change(&document.series[last])
    }

    private func withPeriod(_ change: (inout PublicationDocument.Period) -> Void) {
        withSeries { series in
            guard let last = series.periods.indices.last else { return }
            change(&series.periods[last])
        }
    }

    private func fail(_ parser: XMLParser, _ reason: String) {
        failure = failure ?? EnergyError(.invalidInput, "the answer \(reason)")
        parser.abortParsing()
    }

    private static func local(_ name: String) -> String { String(name.split(separator: ":").last ?? "") }
}
