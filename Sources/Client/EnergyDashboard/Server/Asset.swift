internal import EnergyModel
internal import SodiumAuthentication

/// A file that pages load. Its address changes with its content, so that browsers may keep it for ever.
struct Asset: Sendable {
    let name: String
    let address: String
    let reply: Reply

    private init(_ name: String, _ contentType: String, _ bytes: [UInt8]) {
        self.name = name
        reply = ReplyWriter.prepared(
            Reply(contentType: contentType, body: bytes, cacheControl: "public, max-age=31536000, immutable"))
        address = "/assets/\(name)?\(SodiumHash.sha256(bytes).prefix(6).hexadecimal)"
    }

    static let style = Asset("dashboard.css", "text/css; charset=utf-8", PackageResources.dashboard_css)
    static let script = Asset("dashboard.js", "text/javascript; charset=utf-8", PackageResources.dashboard_js)
    static let all = [style, script]
}
