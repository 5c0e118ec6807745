internal import EnergyModel
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Server-sent events: what kind of thing is new, so that an open page fetches it.
///
/// - Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
enum LiveNews {
    static func response(_ news: AsyncStream<News>, of venueID: UUID?) -> Response {
        var headers = HTTPFields()
        for (name, value) in ReplyWriter.securityHeaders {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        headers[.contentType] = "text/event-stream"
        headers[.cacheControl] = "no-store"
        // nginx would else collect what is sent.
        if let name = HTTPField.Name("x-accel-buffering") { headers[name] = "no" }
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(string: "retry: 3000\n\n"))
                for await item in news where venueID == nil || item.venueID == nil || item.venueID == venueID {
                    try await writer.write(ByteBuffer(string: text(item)))
                }
                try await writer.finish(nil)
            })
    }

    static func text(_ news: News) -> String {
        "event: \(news.kind == .pulse ? "pulse" : "news")\ndata: \(news.kind.rawValue)\n\n"
    }
}
