/// Makes codes that nobody makes without its key.
public protocol MessageAuthenticator: Sendable {
    /// The same for the same message; at least ``GuidanceToken/codeByteCount`` bytes.
    func code(of message: [UInt8]) -> [UInt8]
}

/// What tokens call a venue: 1 to 16,777,215.
public typealias VenueNumber = Int64
