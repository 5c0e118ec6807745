internal import EnergyModel
internal import Foundation

/// What a page is made for: whose home, in which language, at what time.
struct PageContext: Sendable {
    let language: Language
    let venues: [Venue]
    let venue: Venue
    let formats: Formats
    let now: Timestamp
    /// What is wrong with the services, for people.
    var notices: [String] = []
    /// What the form that led here did.
    var done: String?
    /// Why it did not.
    var refusal: String?

    init(language: Language, venues: [Venue], venue: Venue, now: Timestamp) {
        self.language = language
        self.venues = venues
        self.venue = venue
        self.now = now
        formats = Formats(language: language, timeZone: venue.timeZone)
    }

    /// The address of a page of this venue.
    func address(_ path: String, _ query: [(String, String)] = []) -> String {
        let named = venues.count > 1 ? [("venue", venue.id.uuidString.lowercased())] : []
        return QueryText.address(path, named + query)
    }
}

/// Addresses with a query.
enum QueryText {
    static func address(_ path: String, _ query: [(String, String)]) -> String {
        guard !query.isEmpty else { return path }
        return path + "?" + query.map { "\(escaped($0))=\(escaped($1))" }.joined(separator: "&")
    }

    /// Unreserved characters stay; everything else becomes `%XX`.
    static func escaped(_ text: String) -> String {
        text.utf8.reduce(into: "") { escaped, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                escaped += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
    }
}
