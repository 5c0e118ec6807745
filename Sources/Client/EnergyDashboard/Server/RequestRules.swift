internal import Foundation

/// Which requests are heard at all.
///
/// A page of another site that is open in the same browser could send forms here; and one whose name leads to this machine
/// (DNS rebinding) could read what is answered. Neither is let in: forms must come from our own pages, as the browser
/// itself says, and the name that was asked for must be one of ours.
struct RequestRules: Sendable {
    /// Beside `localhost` and addresses in numbers: the names that a proxy or the network has for this dashboard.
    let hosts: Set<String>

    /// - Returns: why the request is refused; `nil` if it is not.
    func refusal(_ request: PageRequest) -> String? {
        let host = request.headers["host"] ?? ""
        guard isOurs(host) else {
            return "The dashboard is not known as '\(host.prefix(100))': add the name to pages.hosts."
        }
        guard request.method != "GET" else { return nil }
        // Fetch metadata, in every browser of today; programs send neither this nor an origin.
        if let site = request.headers["sec-fetch-site"] {
            return ["same-origin", "none"].contains(site) ? nil : "A page of another site may not do that."
        }
        guard let origin = request.headers["origin"] else { return nil }
        guard let authority = URL(string: origin).flatMap(Self.authority), authority == host.lowercased() else {
            return "A page of another site may not do that."
        }
        return nil
    }

    private func isOurs(_ authority: String) -> Bool {
        guard let url = URL(string: "http://\(authority)/"), let host = url.host()?.lowercased(), !host.isEmpty else {
            return false
        }
        if host == "localhost" || hosts.contains(host) { return true }
        let isIPv4 = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return isIPv4.count == 4 && !isIPv4.contains(nil) || host.contains(":")
    }

    private static func authority(_ url: URL) -> String? {
        guard let host = url.host()?.lowercased() else { return nil }
        return url.port.map { "\(host):\($0)" } ?? host
    }
}
