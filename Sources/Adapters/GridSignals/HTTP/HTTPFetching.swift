public import EnergyModel

/// Sends one request over HTTP and waits for the whole answer.
///
/// What every implementation promises: `https`, except to this machine; a limit on time, size and redirections; a body
/// stored with its `ETag` or `Last-Modified`, asked for conditionally, and given again on 304.
public protocol HTTPFetching: Sendable {
    /// - Returns: an answer whose status the request accepts, of an accepted content type, complete.
    /// - Throws: ``EnergyError``
    ///   - `.denied` on 401 and 403: the key is missing or wrong. The message never holds it.
    ///   - `.notFound` on 404 and 410, `.invalidInput` on another 4xx, or a URL that may not be fetched.
    ///   - `.rateLimited` on 429, `.unavailable` on 408 and 5xx, with `Retry-After` if it was sent.
    ///   - `.unavailable` without a connection, in time, complete, or of an accepted content type.
    func send(_ request: HTTPRequest) async throws(EnergyError) -> HTTPResponse
}

/// What is asked of a web service.
public struct HTTPRequest: Hashable, Sendable {
    public enum Method: String, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
    }

    public var method = Method.get
    /// Absolute; its query may hold a key, so it is never shown beyond host and path.
    public var url: String
    /// Sent to the URL's own host only: a redirection elsewhere does without them. May hold keys.
    public var headers: [Header] = []
    public var body: [UInt8] = []
    /// Content types without parameters; empty accepts any.
    public var contentTypes: Set<String> = ["application/json"]
    /// Other than 200 to 299: for services that say what is wrong in a document of their own.
    public var acceptedStatuses: Set<Int> = []

    public struct Header: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// - Parameter query: percent-encoded here.
    public init(_ url: String, query: [(name: String, value: String)] = [], headers: [Header] = []) {
        let query = query.map { Self.encoded($0.name) + "=" + Self.encoded($0.value) }.joined(separator: "&")
        self.url = query.isEmpty ? url : url + (url.contains("?") ? "&" : "?") + query
        self.headers = headers
    }

    /// Percent-encodes everything but RFC 3986's unreserved characters.
    public static func encoded(_ text: String) -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.append(byte)
            default: result += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// What a web service answered.
public struct HTTPResponse: Hashable, Sendable {
    public var status: Int
    public var body: [UInt8]
    /// When the service says it answered; `nil` if it does not say.
    public var date: Timestamp?

    public init(status: Int, body: [UInt8], date: Timestamp? = nil) {
        self.status = status
        self.body = body
        self.date = date
    }
}
