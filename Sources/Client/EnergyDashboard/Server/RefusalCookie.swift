internal import Foundation

/// Carries what an action was refused for to the page that follows, which says it once.
///
/// So the browser stands at a page that it may ask for again: what is asked for again is never the action. In an address,
/// anybody could have a page say anything.
enum RefusalCookie {
    private static let name = "refusal"
    /// Each character may travel as twelve, and browsers keep 4096.
    private static let charactersMax = 300

    static func header(_ text: String) -> (name: String, value: String) {
        ("set-cookie", "\(name)=\(QueryText.escaped(String(text.prefix(charactersMax)))); Max-Age=60; \(scope)")
    }

    /// Said once.
    static let spent = (name: "set-cookie", value: "\(name)=; Max-Age=0; \(scope)")

    /// An open page that is fetched anew leaves it to the page that follows the action.
    static func text(_ request: PageRequest) -> String? {
        request.isRefresh ? nil : request.cookie(name)?.removingPercentEncoding
    }

    private static let scope = "Path=/; SameSite=Strict; HttpOnly"
}
