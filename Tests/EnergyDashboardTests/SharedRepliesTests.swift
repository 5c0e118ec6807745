import HTTPTypes
import Hummingbird
import Synchronization
import Testing

@testable import EnergyDashboard

@Suite struct `What open pages fetch` {
    /// Makes replies that are numbered.
    private final class Maker: Sendable {
        private let made = Mutex(0)
        var count: Int { made.withLock { $0 } }

        func reply() -> Reply {
            let number = made.withLock { made in
                made += 1
                return made
            }
            return Reply(body: Array(String(repeating: "page \(number) ", count: 500).utf8))
        }
    }

    private func request(_ path: String, _ language: String = "en") -> PageRequest {
        var request = PageRequest()
        request.path = path
        request.headers = ["accept-language": language, "x-refresh": "1"]
        return request
    }

    @Test func `is made once for all of them until something is new`() async {
        let (shared, maker) = (SharedReplies(), Maker())
        let bodies = await withTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<200 {
                group.addTask { await shared.reply(to: request("/"), newsCount: 7) { maker.reply() }.body }
            }
            return await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(bodies.count == 1 && maker.count == 1)
        let next = await shared.reply(to: request("/"), newsCount: 8) { maker.reply() }
        #expect(!bodies.contains(next.body) && maker.count == 2)
    }

    @Test func `is of its own address, language and home`() async {
        let (shared, maker) = (SharedReplies(), Maker())
        var elsewhere = request("/")
        elsewhere.headers["cookie"] = "venue=5E0C7F0A-0000-4000-8000-000000000000"
        for request in [request("/"), request("/plan"), request("/", "de"), elsewhere, request("/"), elsewhere] {
            _ = await shared.reply(to: request, newsCount: 0) { maker.reply() }
        }
        #expect(maker.count == 4)
    }

    @Test func `is kept of so many pages only`() async {
        let (shared, maker) = (SharedReplies(), Maker())
        for _ in 0..<2 {
            for page in 0...SharedReplies.repliesMax {
                _ = await shared.reply(to: request("/\(page)"), newsCount: 0) { maker.reply() }
            }
        }
        #expect(maker.count == SharedReplies.repliesMax + 2)
    }

    @Test func `is not what a person is shown who loads the page`() {
        var typed = request("/")
        #expect(typed.isRefresh)
        typed.headers["x-refresh"] = nil
        #expect(!typed.isRefresh)
        var sent = request("/")
        sent.method = "POST"
        #expect(!sent.isRefresh)
    }

    @Test func `has the tag and the compression that it would have had alone`() {
        let reply = Maker().reply()
        var request = request("/")
        request.headers["accept-encoding"] = "gzip"
        let (alone, shared) = (
            ReplyWriter.response(reply, to: request), ReplyWriter.response(ReplyWriter.prepared(reply), to: request)
        )
        #expect(alone.headers == shared.headers && alone.headers[.contentEncoding] == "gzip")
        #expect(alone.body.contentLength == shared.body.contentLength)
    }
}
