internal import EnergyModel
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Which address is answered by what.
struct Routes: Sendable {
    let pages: Pages
    let desk: NewsDesk
    let rules: RequestRules
    private let shared = SharedReplies()

    init(pages: Pages, desk: NewsDesk, rules: RequestRules) {
        self.pages = pages
        self.desk = desk
        self.rules = rules
    }

    typealias Handler = @Sendable (PageRequest) async -> Reply
    /// What each method of an address does.
    private typealias Paths = [String: [HTTPRequest.Method: Handler]]

    var router: Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        for asset in Asset.all { on(router, .get, "/assets/\(asset.name)") { _ in asset.reply } }
        add(paths, to: router, otherwise: { Reply.notAllowed($0, $1) })
        add(settingsPaths, to: router, otherwise: { Reply.notAllowed($0, $1) })
        add(apiPaths(API(pages: pages)), to: router, otherwise: { API.notAllowed($0, $1) })
        addLive(to: router)
        for method in Self.methods {
            for path in ["/api", "/api/v1", "/api/**"] { on(router, method, RouterPath(path)) { API.notFound($0) } }
            for path in ["/assets/**", "/**"] { on(router, method, RouterPath(path)) { [pages] in pages.notFound($0) } }
        }
        return router
    }

    private var paths: Paths {
        [
            "/": [.get: { await pages.now($0) }],
            "/history": [.get: { await pages.history($0) }],
            "/history.csv": [.get: { await pages.historyFile($0) }],
            "/activity": [.get: { await pages.activity($0) }],
            "/grid": [.get: { await pages.grid($0) }],
            "/plan": [.get: { await pages.plan($0) }],
            "/plan/override": [.post: { await pages.override($0) }],
            "/plan/goal": [.get: { await pages.goalForm($0) }, .post: { await pages.goal($0) }],
            "/plan/goals/remove": [.post: { await pages.removeGoals($0) }],
            "/start": [.get: { await pages.start($0) }, .post: { await pages.begin($0) }],
            "/start/demo": [.post: { await pages.demo($0) }],
            "/language": [.post: { LanguageChoice.reply($0) }],
        ]
    }

    private var settingsPaths: Paths {
        func form(_ handle: @escaping Handler) -> [HTTPRequest.Method: Handler] { [.get: handle, .post: handle] }
        return [
            "/settings": [.get: { await pages.settings($0) }],
            "/settings/venue": form { await pages.venueForm($0) },
            "/settings/rate-plan": form { await pages.ratePlanForm($0) },
            "/settings/device": form { await pages.deviceForm($0) },
            "/settings/event": form { await pages.eventForm($0) },
            "/settings/limits": form { await pages.limitsForm($0) },
            "/settings/key": form { await pages.keyForm($0) },
            "/settings/rate-plan/prices": [.get: { await pages.ratePlanPrices($0) }],
            "/settings/venue/remove": [.post: { await pages.removeVenue($0) }],
            "/settings/rate-plan/remove": [.post: { await pages.removeRatePlan($0) }],
            "/settings/device/remove": [.post: { await pages.removeDevice($0) }],
            "/settings/event/cancel": [.post: { await pages.cancelEvent($0) }],
            // Where the result was shown, for who comes back to it.
            "/settings/source/test": [.get: { _ in .seeOther("/settings") }, .post: { await pages.testSource($0) }],
        ]
    }

    private func apiPaths(_ api: API) -> Paths {
        let venue = "/api/v1/venues/{venue}"
        let device = "\(venue)/devices/{device}"
        return [
            "/api/v1/openapi.json": [
                .get: { _ in Reply(contentType: "application/json", body: PackageResources.openapi_json) }
            ],
            "/api/v1/venues": [.get: { await api.venues($0) }],
            "/api/v1/rate-plans": [.get: { await api.ratePlans($0) }],
            "\(venue)/guidance": [.get: { await api.guidance($0) }],
            "\(venue)/devices": [.get: { await api.devices($0) }],
            "\(venue)/history": [.get: { await api.history($0) }],
            "\(venue)/activity": [.get: { await api.activity($0) }],
            "\(venue)/sources": [.get: { await api.sources($0) }],
            "\(venue)/limits": [.get: { await api.limits($0) }],
            "\(venue)/events": [.get: { await api.events($0) }, .post: { await api.addEvent($0) }],
            "\(venue)/events/{event}": [.delete: { await api.cancelEvent($0) }],
            "\(device)/plan": [.get: { await api.plan($0) }],
            "\(device)/goals": [.post: { await api.addGoal($0) }],
            "\(device)/goals/preview": [.post: { await api.previewGoal($0) }],
            "\(device)/goals/{goal}": [.delete: { await api.removeGoal($0) }],
            "\(device)/override": [.post: { await api.override($0) }],
        ]
    }

    private func addLive(to router: Router<BasicRequestContext>) {
        router.get("/live") { [rules, desk] request, context in
            let request = try await PageRequest(request, context)
            if let refusal = rules.refusal(request) {
                return ReplyWriter.response(.refusal(refusal), to: request)
            }
            guard let news = desk.subscribe(knowing: request["since"].flatMap { Int($0) }) else {
                return ReplyWriter.response(.refusal("Too many pages are open.", status: 503), to: request)
            }
            return LiveNews.response(news, of: request["venue"].flatMap(UUID.init(uuidString:)))
        }
    }

    private static let methods: [HTTPRequest.Method] =
        [.get, .post, .put, .patch, .delete, .options, .trace]
        + ["QUERY"].compactMap { HTTPRequest.Method(rawValue: $0) }

    /// - Parameter otherwise: answers methods that an address is not for, told those that it is.
    private func add(
        _ paths: Paths, to router: Router<BasicRequestContext>,
        otherwise: @escaping @Sendable (PageRequest, [String]) -> Reply
    ) {
        for (path, handlers) in paths {
            let all = handlers.keys.map(\.rawValue) + (handlers[.get] == nil ? [] : ["HEAD"])
            let allowed = all.sorted()
            for method in Self.methods {
                on(router, method, RouterPath(path), handlers[method] ?? { otherwise($0, allowed) })
            }
        }
    }

    private func on(
        _ router: Router<BasicRequestContext>, _ method: HTTPRequest.Method, _ path: RouterPath,
        _ handle: @escaping Handler
    ) {
        router.on(path, method: method) { [rules, desk, shared] sent, context in
            let request: PageRequest
            do {
                request = try await PageRequest(sent, context, newsCount: desk.newsCount)
            } catch is NIOTooManyBytesError {
                var request = PageRequest()
                request.path = sent.uri.path
                return ReplyWriter.response(.tooLarge(request), to: request)
            }
            let refusal = rules.refusal(request)
            var reply =
                if let refusal {
                    Reply.refusal(refusal, to: request)
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
    static func tooLarge(_ request: PageRequest) -> Reply {
        let most = PageRequest.bodyBytesMax / 1024
        let text = "What was sent is larger than \(most) KiB."
        return request.path.hasPrefix("/api/")
            ? API.problem(EnergyError(.invalidInput, text), status: 413)
            : refusal("\(text) Go back: what was typed is still there.", status: 413)
    }

    /// In the words of what was asked for: a page, or the API.
    static func refusal(_ text: String, status: Int = 403, to request: PageRequest) -> Reply {
        request.path.hasPrefix("/api/")
            ? API.problem(EnergyError(.denied, text), status: status)
            : refusal(text, status: status)
    }

    /// - Parameter methods: what the address is for.
    static func notAllowed(_ request: PageRequest, _ methods: [String]) -> Reply {
        let all = methods.joined(separator: ", ")
        var reply = refusal("\(request.method) is not for this address: it takes \(all).", status: 405)
        reply.headers.append(("allow", all))
        return reply
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
