internal import EnergyModel
internal import Foundation
internal import Gzip
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import SodiumAuthentication

/// Sends a reply: with a tag of its content, so that what is unchanged is not sent again; compressed where the browser can
/// read that; and with the rules that keep foreign scripts out.
enum ReplyWriter {
    /// Less is not worth compressing.
    private static let compressedBytesMin = 1_024

    static let securityHeaders: [(name: String, value: String)] = [
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
        ("x-content-type-options", "nosniff"), ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin"),
    ]

    static func response(_ reply: Reply, to request: PageRequest) -> Response {
        var headers = HTTPFields()
        for (name, value) in securityHeaders + reply.headers {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        // Who goes back to a form that was refused is shown it again, and not asked whether to send it.
        headers[.cacheControl] = [200, 422].contains(reply.status) ? reply.cacheControl : "no-store"
        guard ![204, 303].contains(reply.status) else {
            return Response(status: .init(code: reply.status), headers: headers)
        }
        headers[.contentType] = reply.contentType
        headers[.vary] = "accept-encoding, accept-language, cookie"
        if reply.status == 200, reply.cacheControl != "no-store" {
            let tag = reply.prepared?.tag ?? tag(of: reply)
            headers[.eTag] = tag
            if known(request.headers["if-none-match"], tag) {
                headers[.contentType] = nil
                return Response(status: .notModified, headers: headers)
            }
        }
        var body = reply.body
        if acceptsGzip(request), let compressed = reply.prepared?.gzip ?? compressed(reply) {
            headers[.contentEncoding] = "gzip"
            body = compressed
        }
        return Response(
            status: .init(code: reply.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }

    /// What is sent to many is hashed and compressed once.
    static func prepared(_ reply: Reply) -> Reply {
        var prepared = reply
        prepared.prepared = Reply.Prepared(tag: tag(of: reply), gzip: compressed(reply))
        return prepared
    }

    /// Weak: it is the same whether the content travels compressed or not.
    private static func tag(of reply: Reply) -> String {
        "W/\"\(SodiumHash.sha256(reply.body).prefix(12).hexadecimal)\""
    }

    /// - Returns: `nil` where that is not worth it.
    private static func compressed(_ reply: Reply) -> [UInt8]? {
        reply.body.count >= compressedBytesMin ? Gzip.compressed(reply.body) : nil
    }

    /// Weak comparison: who asks may have left out the mark.
    private static func known(_ header: String?, _ tag: String) -> Bool {
        guard let header else { return false }
        return header.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            .contains { $0 == "*" || $0 == tag || "W/\($0)" == tag }
    }

    private static func acceptsGzip(_ request: PageRequest) -> Bool {
        (request.headers["accept-encoding"] ?? "").split(separator: ",").contains { part in
            let pieces = part.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            return pieces.first == "gzip" && !pieces.dropFirst().contains { ["q=0", "q=0.0"].contains($0) }
        }
    }
}
