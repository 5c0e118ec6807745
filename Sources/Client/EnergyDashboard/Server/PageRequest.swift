internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// What pages need of a request, apart from the server that it came through.
struct PageRequest: Sendable {
    /// Of a form: a contract of ``RatePlanInput/documentMax`` characters, each of which may travel as three.
    static let bodyBytesMax = 640 * 1024
    /// Names beyond it are dropped. A table of hours has some hundred.
    static let fieldsMax = 200

    var method = "GET"
    var path = "/"
    /// In the order in which they came; a name may come several times.
    var query: [(name: String, value: String)] = []
    /// What a form sent.
    var form: [(name: String, value: String)] = []
    /// Names in lower case.
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// What had been told when a person asked; `nil` for what a page that listens asks for.
    var newsCount: Int?
    /// Parts of the path, by the names that the route gives them.
    var parameters: [String: String] = [:]

    subscript(name: String) -> String? { query.first { $0.name == name }?.value }
    func field(_ name: String) -> String { form.first { $0.name == name }?.value ?? "" }
    func fields(_ name: String) -> [String] { form.filter { $0.name == name }.map(\.value) }

    /// The path with its query.
    var address: String { QueryText.address(path, query.map { ($0.name, $0.value) }) }

    /// To come back to; `nil` for what was sent.
    var returnAddress: String? { method == "GET" ? address : nil }

    /// Whether an open page asks because of news, and not a person.
    var isRefresh: Bool { method == "GET" && headers["x-refresh"] != nil }

    /// Whether a form came to be acted upon, and not only to be shown in another language.
    var isSent: Bool { method == "POST" && chosenLanguage == nil }

    /// What a form is shown in from now on, as it was typed.
    var chosenLanguage: Language? { method == "POST" ? Language(rawValue: field("language")) : nil }

    /// Whether what is wrong with a form is to be said: it was sent, now or before its language was changed.
    var isJudged: Bool { isSent || field("sent") == "yes" }

    var language: Language {
        chosenLanguage ?? cookie("language").flatMap(Language.init(rawValue:))
            ?? .preferred(headers["accept-language"] ?? "")
    }

    func cookie(_ name: String) -> String? {
        let pairs = (headers["cookie"] ?? "").prefix(4_096).split(separator: ";")
        return pairs.map { $0.trimmingCharacters(in: .whitespaces) }.first { $0.hasPrefix("\(name)=") }
            .map { String($0.dropFirst(name.count + 1)) }
    }
}

extension PageRequest {
    /// - Throws: `NIOTooManyBytesError` for a body that is too large.
    init(_ request: Request, _ context: some RequestContext, newsCount: Int? = nil) async throws {
        // What is answered is the same, but for the body, which the server leaves out: RFC 9110, 9.3.2.
        method = request.method == .head ? "GET" : request.method.rawValue
        path = request.uri.path
        query = Self.fields(request.uri.query ?? "")
        for field in request.headers { headers[field.name.canonicalName] = field.value }
        // HTTP's own types keep it apart from the other headers.
        headers["host"] = request.head.authority ?? ""
        if !isRefresh { self.newsCount = newsCount }
        for (name, value) in context.parameters { parameters[String(name)] = String(value) }
        guard ["POST", "PUT", "DELETE"].contains(method) else { return }
        var request = request
        body = Array(try await request.collectBody(upTo: Self.bodyBytesMax).readableBytesView)
        if headers["content-type"]?.hasPrefix("application/x-www-form-urlencoded") == true {
            form = Self.fields(String(decoding: body, as: UTF8.self))
        }
    }

    /// - Source: https://url.spec.whatwg.org/#urlencoded-parsing
    static func fields(_ text: String) -> [(name: String, value: String)] {
        text.split(separator: "&").prefix(fieldsMax).compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(parts[0]), let value = decoded(parts.count > 1 ? parts[1] : "") else { return nil }
            return (name, value)
        }
    }

    private static func decoded(_ text: Substring) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding
    }
}
