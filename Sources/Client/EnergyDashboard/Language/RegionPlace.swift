internal import Foundation

/// Where a region of the grid is, as far as its name tells.
struct RegionPlace {
    /// ISO 3166, two letters.
    let country: String?
    /// The clock that most people there live by.
    let timeZone: String?

    /// ISO 4217: what is paid with there.
    var currency: String? { country.flatMap { Locale(identifier: "en_\($0)").currency?.identifier } }

    private static let unitedStates = [
        "CISO": "America/Los_Angeles", "ERCO": "America/Chicago", "ISNE": "America/New_York", "PJM": "America/New_York",
    ]

    init(_ region: String) {
        if let zone = Self.unitedStates[region] {
            (country, timeZone) = ("US", zone)
        } else {
            // `DE`, `DK1`, `IT-North`.
            country = region.prefixMatch(of: /[A-Z]{2}(?=$|[0-9-])/).map { String($0.output) }
            timeZone = country.flatMap(TimeZoneCountries.shared.firstZone)
        }
    }
}

extension Language {
    /// `DE – Germany`; what services call it alone where people have no other name.
    func region(_ region: String) -> String {
        let country =
            region.utf8.count == 2 ? Locale(identifier: rawValue).localizedString(forRegionCode: region) : nil
        let name = Self.regionNames[region].map { self == .german ? $0.german : $0.english } ?? country
        return name.map { "\(region) – \($0)" } ?? region
    }

    /// Of those that are no country.
    private static let regionNames: [String: (english: String, german: String)] = [
        "CISO": ("California", "Kalifornien"), "ERCO": ("Texas", "Texas"), "ISNE": ("New England", "Neuengland"),
        "PJM": ("United States, Chicago to Washington", "USA, von Chicago bis Washington"),
        "GB": ("Great Britain", "Großbritannien"),
        "DK1": ("Denmark, west of the Great Belt", "Dänemark, westlich des Großen Belts"),
        "DK2": ("Denmark, east of the Great Belt", "Dänemark, östlich des Großen Belts"),
        "IT-Calabria": ("Italy, Calabria", "Italien, Kalabrien"),
        "IT-Centre-North": ("Italy, centre north", "Italien, nördliche Mitte"),
        "IT-Centre-South": ("Italy, centre south", "Italien, südliche Mitte"),
        "IT-North": ("Italy, north", "Italien, Norden"), "IT-Sardinia": ("Italy, Sardinia", "Italien, Sardinien"),
        "IT-Sicily": ("Italy, Sicily", "Italien, Sizilien"), "IT-South": ("Italy, south", "Italien, Süden"),
        "NO1": ("Norway, Oslo", "Norwegen, Oslo"), "NO2": ("Norway, Kristiansand", "Norwegen, Kristiansand"),
        "NO3": ("Norway, Trondheim", "Norwegen, Trondheim"), "NO4": ("Norway, Tromsø", "Norwegen, Tromsø"),
        "NO5": ("Norway, Bergen", "Norwegen, Bergen"), "SE1": ("Sweden, Luleå", "Schweden, Luleå"),
        "SE2": ("Sweden, Sundsvall", "Schweden, Sundsvall"), "SE3": ("Sweden, Stockholm", "Schweden, Stockholm"),
        "SE4": ("Sweden, Malmö", "Schweden, Malmö"),
    ]
}
