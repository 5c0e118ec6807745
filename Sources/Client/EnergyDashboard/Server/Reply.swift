internal import Foundation

/// What is answered, apart from how it travels.
struct Reply: Sendable {
    var status = 200
    var contentType = "text/html; charset=utf-8"
    var body: [UInt8] = []
    var headers: [(name: String, value: String)] = []
    /// May be kept by the browser, which asks whether it is still so.
    var cacheControl = "private, no-cache"
    /// Of the body, where that is sent more than once.
    var prepared: Prepared?

    struct Prepared: Sendable {
        let tag: String
        let gzip: [UInt8]?
    }

    static func page(_ html: HTML, status: Int = 200) -> Reply {
        Reply(status: status, body: Array(html.document.utf8))
    }

    /// After a form was accepted: the browser asks for the page by itself, so that reloading sends nothing twice.
    static func seeOther(_ address: String) -> Reply {
        Reply(status: 303, contentType: "text/plain; charset=utf-8", headers: [("location", address)])
    }

    static func json(_ value: some Encodable, status: Int = 200) -> Reply {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        guard let data = try? encoder.encode(value) else {
            return Reply(status: 500, contentType: "text/plain; charset=utf-8", body: Array("not encodable\n".utf8))
        }
        return Reply(status: status, contentType: "application/json", body: Array(data) + [UInt8(ascii: "\n")])
    }
}
