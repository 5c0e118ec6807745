internal import EnergyModel
internal import Foundation

/// What an ESPI file takes for one meter: a device, a kind of device, or the venue as a whole.
struct ESPIMeter {
    let title: String
    private let deviceID: String?
    private let kind: Device.Kind?
    private let query: InsightQuery
    /// The first that something cost. A reading type has one.
    private var currency: String?

    /// - Parameter record: the first of the meter; `nil` for a file without any.
    init(_ record: InsightRecord?, of query: InsightQuery) {
        deviceID = record?.deviceID
        kind = record?.deviceKind
        self.query = query
        title =
            record?.deviceID ?? query.deviceID ?? (record?.deviceKind ?? query.deviceKind).map(Self.words)
            ?? "all devices"
    }

    func isOf(_ record: InsightRecord) -> Bool { record.deviceID == deviceID && record.deviceKind == kind }

    mutating func note(_ record: InsightRecord) {
        currency = currency ?? record.worth.costs.first?.currency
    }

    /// As a part of paths: ids of devices may hold spaces.
    var name: String {
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-"))
        let name = title.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        return "\(name)-\(FileWords.snake(query.granularity.rawValue))-\(query.direction.rawValue)"
    }

    /// Delta data (4) of electricity (1), in Wh (72) x 10^-3, forward is delivered to the customer (1), reverse
    /// received (19).
    var readingType: String {
        let money = Self.currencyNumbers[currency ?? ""].map { "<currency>\($0)</currency>" } ?? ""
        let length = intervalSeconds.map { "<intervalLength>\($0)</intervalLength>" } ?? ""
        return """
            <ReadingType xmlns="http://naesb.org/espi"><accumulationBehaviour>4</accumulationBehaviour>\
            <commodity>1</commodity>\(money)<dataQualifier>12</dataQualifier>\
            <flowDirection>\(query.direction == .imported ? 1 : 19)</flowDirection>\(length)<kind>12</kind>\
            <phase>769</phase><powerOfTenMultiplier>-3</powerOfTenMultiplier><timeAttribute>0</timeAttribute>\
            <uom>72</uom></ReadingType>
            """
    }

    /// Of periods that are always as long; days are not.
    private var intervalSeconds: Int? {
        switch query.granularity {
        case .quarterHourly: 900
        case .hourly: 3_600
        case .daily, .weekly, .monthly, .yearly: nil
        }
    }

    func reading(_ record: InsightRecord) -> String {
        "<IntervalReading>\(cost(record))<timePeriod>\(Self.duration(record.interval))</timePeriod>"
            + "<value>\(min(record.total.energy.milliwattHours, Self.valueMax))</value></IntervalReading>"
    }

    /// In hundred-thousandths of the currency unit, rounded.
    private func cost(_ record: InsightRecord) -> String {
        guard let cost = record.worth.cost(ofAll: record.total.energy), cost.currency == currency,
            Self.currencyNumbers[cost.currency] != nil
        else { return "" }
        let micros = cost.micros
        let rounded = micros / 10 + (micros % 10 >= 5 ? 1 : micros % 10 <= -5 ? -1 : 0)
        return "<cost>\(max(-Self.valueMax, min(rounded, Self.valueMax)))</cost>"
    }

    static func duration(_ interval: Interval) -> String {
        "<duration>\(interval.milliseconds / 1000)</duration><start>\(seconds(interval.start))</start>"
    }

    static func seconds(_ instant: Timestamp) -> Int64 {
        instant.floored(toMilliseconds: 1000).unixMilliseconds / 1000
    }

    private static func words(_ kind: Device.Kind) -> String {
        switch kind {
        case .electricVehicle: "electric vehicles"
        case .hvac: "heating and cooling"
        case .homeBattery: "home batteries"
        case .appliance: "appliances"
        }
    }

    /// 48 bits with a sign.
    private static let valueMax: Int64 = 140_737_488_355_327

    /// - Source: ISO 4217.
    private static let currencyNumbers = [
        "AUD": 36, "BGN": 975, "BRL": 986, "CAD": 124, "CHF": 756, "CNY": 156, "CZK": 203, "DKK": 208, "EUR": 978,
        "GBP": 826, "HUF": 348, "INR": 356, "ISK": 352, "JPY": 392, "KRW": 410, "MXN": 484, "NOK": 578, "NZD": 554,
        "PLN": 985, "RON": 946, "RUB": 643, "SEK": 752, "SGD": 702, "TRY": 949, "UAH": 980, "USD": 840, "ZAR": 710,
    ]
}
