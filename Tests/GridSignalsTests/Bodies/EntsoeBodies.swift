/// Documents as the Transparency Platform writes them.
enum EntsoeBodies {
    /// - Parameter points: positions and amounts, as text.
    static func period(
        _ start: String, _ end: String, _ resolution: String, _ points: [(position: Int, amount: String)]
    ) -> String {
        let points = points.map {
            "<Point>\n<position>\($0.position)</position>\n<price.amount>\($0.amount)</price.amount>\n</Point>"
        }
        return """
            <Period><timeInterval><start>\(start)</start><end>\(end)</end></timeInterval>
            <resolution>\(resolution)</resolution>\(points.joined(separator: "\n"))</Period>
            """
    }

    static func series(
        _ periods: String..., auction: Int? = nil, currency: String = "EUR", curve: String = "A03",
        contract: String = "A01", unit: String = "MWH"
    ) -> String {
        let name = "classificationSequence_AttributeInstanceComponent.position"
        return """
            <TimeSeries><mRID>1</mRID><auction.type>A01</auction.type><businessType>A62</businessType>
            <in_Domain.mRID codingScheme="A01">10YBE----------2</in_Domain.mRID>
            <contract_MarketAgreement.type>\(contract)</contract_MarketAgreement.type>
            <currency_Unit.name>\(currency)</currency_Unit.name><price_Measure_Unit.name>\(unit)</price_Measure_Unit.name>
            \(auction.map { "<\(name)>\($0)</\(name)>" } ?? "")<curveType>\(curve)</curveType>
            \(periods.joined(separator: "\n"))
            </TimeSeries>
            """
    }

    static func document(_ series: String...) -> String {
        """
        <?xml version="1.0" encoding="utf-8"?>
        <Publication_MarketDocument xmlns="urn:iec62325.351:tc57wg16:451-3:publicationdocument:7:3">
        <mRID>6a7c2b0c</mRID><type>A44</type><createdDateTime>2025-10-25T11:00:07Z</createdDateTime>
        <period.timeInterval><start>1999-01-01T00:00Z</start><end>1999-01-02T00:00Z</end></period.timeInterval>
        \(series.joined(separator: "\n"))
        </Publication_MarketDocument>
        """
    }

    static func acknowledgement(_ text: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <Acknowledgement_MarketDocument xmlns="urn:iec62325.351:tc57wg16:451-1:acknowledgementdocument:7:0">
        <mRID>e6ca5700</mRID><createdDateTime>2026-01-17T11:41:36Z</createdDateTime>
        <Reason><code>999</code><text>\(text)</text></Reason></Acknowledgement_MarketDocument>
        """
    }
}
