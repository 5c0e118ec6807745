internal import EnergyModel
internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// Which address is answered by what.
struct Routes: Sendable {
    let reader: HomeReader
    let desk: NewsDesk
    let rules: RequestRules
    private let shared = SharedReplies()

    init(reader: HomeReader, desk: NewsDesk, rules: RequestRules) {
        self.reader = reader
        self.desk = desk
        self.rules = rules
    }

    typealias Handler = @Sendable (PageRequest) async -> Reply

    var router: Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        let pages = Pages(reader: reader)
        for asset in Asset.all { on(router, .get, "/assets/\(asset.name)") { _ in asset.reply } }
        on(router, .get, "/") { await pages.now($0) }
        on(router, .get, "/history") { await pages.history($0) }
        on(router, .get, "/history.csv") { await pages.historyFile($0) }
        on(router, .get, "/activity") { await pages.activity($0) }
        on(router, .get, "/grid") { await pages.grid($0) }
        on(router, .get, "/plan") { await pages.plan($0) }
        on(router, .post, "/plan/override") { await pages.override($0) }
        on(router, .get, "/plan/goal") { await pages.goalForm($0) }
        on(router, .post, "/plan/goal") { await pages.goal($0) }
        on(router, .post, "/plan/goals/remove") { await pages.removeGoals($0) }
        addSettings(to: router, pages)
        addAPI(to: router)
        on(router, .post, "/language") { LanguageChoice.reply($0) }
        router.get("/live") { [rules, desk] request, context in
            let request = try await PageRequest(request, context)
            if let refusal = rules.refusal(request) {
                return ReplyWriter.response(.refusal(refusal), to: request)
            }
            guard let news = desk.subscribe() else {
                return ReplyWriter.response(.refusal("Too many pages are open.", status: 503), to: request)
            }
            return LiveNews.response(news, of: request["venue"].flatMap(UUID.init(uuidString:)))
        }
        for method in [HTTPRequest.Method.get, .post] {
            on(router, method, "/**") { pages.notFound($0) }
        }
        return router
    }

    private func addSettings(to router: Router<BasicRequestContext>, _ pages: Pages) {
        on(router, .get, "/start") { await pages.start($0) }
        on(router, .post, "/start") { await pages.begin($0) }
        on(router, .post, "/start/demo") { await pages.demo($0) }
        on(router, .get, "/settings") { await pages.settings($0) }
        let forms: [(RouterPath, Handler)] = [
            ("/settings/venue", { await pages.venueForm($0) }),
            ("/settings/rate-plan", { await pages.ratePlanForm($0) }),
            ("/settings/device", { await pages.deviceForm($0) }), ("/settings/event", { await pages.eventForm($0) }),
            ("/settings/limits", { await pages.limitsForm($0) }), ("/settings/key", { await pages.keyForm($0) }),
        ]
        for (path, handle) in forms {
            on(router, .get, path, handle)
            on(router, .post, path, handle)
        }
        on(router, .get, "/settings/rate-plan/prices") { await pages.ratePlanPrices($0) }
        on(router, .post, "/settings/venue/remove") { await pages.removeVenue($0) }
        on(router, .post, "/settings/rate-plan/remove") { await pages.removeRatePlan($0) }
        on(router, .post, "/settings/device/remove") { await pages.removeDevice($0) }
        on(router, .post, "/settings/event/cancel") { await pages.cancelEvent($0) }
        on(router, .post, "/settings/source/test") { await pages.testSource($0) }
        // Where the result was shown, for who comes back to it.
        on(router, .get, "/settings/source/test") { _ in .seeOther("/settings") }
    }

    private func addAPI(to router: Router<BasicRequestContext>) {
        let api = API(pages: Pages(reader: reader))
        let paths: [String: [HTTPRequest.Method: Handler]] = [
            "openapi.json": [
                .get: { _ in Reply(contentType: "application/json", body: PackageResources.openapi_json) }
            ],
            "venues": [.get: { await api.venues($0) }],
            "rate-plans": [.get: { await api.ratePlans($0) }],
            "venues/{venue}/guidance": [.get: { await api.guidance($0) }],
            "venues/{venue}/devices": [.get: { await api.devices($0) }],
            "venues/{venue}/history": [.get: { await api.history($0) }],
            "venues/{venue}/activity": [.get: { await api.activity($0) }],
            "venues/{venue}/sources": [.get: { await api.sources($0) }],
            "venues/{venue}/limits": [.get: { await api.limits($0) }],
            "venues/{venue}/events": [.get: { await api.events($0) }, .post: { await api.addEvent($0) }],
            "venues/{venue}/events/{event}": [.delete: { await api.cancelEvent($0) }],
            "venues/{venue}/devices/{device}/plan": [.get: { await api.plan($0) }],
            "venues/{venue}/devices/{device}/goals": [.post: { await api.addGoal($0) }],
            "venues/{venue}/devices/{device}/goals/preview": [.post: { await api.previewGoal($0) }],
            "venues/{venue}/devices/{device}/goals/{goal}": [.delete: { await api.removeGoal($0) }],
            "venues/{venue}/devices/{device}/override": [.post: { await api.override($0) }],
        ]
        for (path, handlers) in paths {
            let allowed = handlers.keys.map(\.rawValue).sorted()
            for method in Self.methods {
                on(router, method, "/api/v1/\(path)", handlers[method] ?? { api.notAllowed($0, allowed) })
            }
        }
        for method in Self.methods { on(router, method, "/api/**") { api.notFound($0) } }
    }

    private static let methods: [HTTPRequest.Method] =
        [.get, .post, .put, .patch, .delete, .options, .trace]
        + ["QUERY"].compactMap { HTTPRequest.Method(rawValue: $0) }

    private func on(
        _ router: Router<BasicRequestContext>, _ method: HTTPRequest.Method, _ path: RouterPath,
        _ handle: @escaping Handler
    ) {
        router.on(path, method: method) { [rules, desk, shared] sent, context in
            let request: PageRequest
            do { request = try await PageRequest(sent, context) } catch let error as HTTPError
                where error.status == .contentTooLarge
            {
                return ReplyWriter.response(.tooLarge, to: PageRequest())
            }
            let refusal = rules.refusal(request)
            var reply =
                if let refusal {
                    Reply.refusal(refusal)
                } else if request.isRefresh {
                    await shared.reply(to: request, newsCount: desk.newsCount) { await handle(request) }
                } else {
                    await handle(request)
                }
            if let language = request.chosenLanguage { reply.headers.append(LanguageChoice.cookie(language)) }
            return ReplyWriter.response(reply, to: request)
        }
    }
}

extension Reply {
    static var tooLarge: Reply {
        let most = PageRequest.bodyBytesMax / 1024
        return refusal("What was sent is larger than \(most) KiB. Go back: what was typed is still there.", status: 413)
    }

    static func refusal(_ text: String, status: Int = 403) -> Reply {
        Reply(status: status, contentType: "text/plain; charset=utf-8", body: Array((text + "\n").utf8))
    }
}

/// The language that somebody chose, kept by his browser.
enum LanguageChoice {
    static func reply(_ request: PageRequest) -> Reply {
        let back = request.field("back")
        // Only a page of ours: `//host` would be another site.
        return .seeOther(back.hasPrefix("/") && !back.hasPrefix("//") && !back.contains("\\") ? back : "/")
    }

    static func cookie(_ language: Language) -> (name: String, value: String) {
        ("set-cookie", "language=\(language.rawValue); Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly")
    }
}
