public import EnergyModel
internal import Foundation

/// What HTTP's answers mean for a source; no input or output.
public enum HTTPRules {
    /// Longest wait that a service may ask for.
    public static let retryAfterMax: Int64 = .millisecondsPerDay

    /// Host and path, without user, query and fragment, where keys are.
    public static func shown(_ url: String) -> String {
        guard let parts = URLComponents(string: url), let host = parts.host else { return "the address" }
        return host + (parts.port.map { ":\($0)" } ?? "") + parts.path
    }

    /// - Throws: ``EnergyError`` `.invalidInput` unless it is `https`, or `http` to this machine.
    public static func check(url: String) throws(EnergyError) {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(), let host = parts.host,
            !host.isEmpty
        else { throw EnergyError(.invalidInput, "the address must be like https://host/path") }
        if scheme == "https" || (scheme == "http" && isLoopback(host)) { return }
        throw EnergyError(
            .invalidInput, "\(shown(url)): must begin with https://, http:// is for this machine only")
    }

    static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host == "[::1]"
            || host.wholeMatch(of: /127\.\d{1,3}\.\d{1,3}\.\d{1,3}/) != nil
    }

    /// - Parameter retryAfter: the header's value.
    /// - Returns: `nil` for a status of success.
    public static func failure(status: Int, url: String, retryAfter: String?, now: Timestamp) -> EnergyError? {
        let shown = shown(url)
        let wait = retryAfter.flatMap { milliseconds(retryAfter: $0, now: now) }
        switch status {
        case 200...299: return nil
        case 401:
            return EnergyError(.denied, "\(shown) answered 401: its key is missing, wrong or has expired")
        case 403:
            return EnergyError(.denied, "\(shown) answered 403: its key is missing, wrong, or not for these data")
        case 404, 410: return EnergyError(.notFound, "\(shown) answered \(status): there is no such thing")
        case 408, 500...599:
            return EnergyError(.unavailable, "\(shown) answered \(status)", retryAfterMilliseconds: wait)
        case 429:
            return EnergyError(.rateLimited, "\(shown) answered 429: too many requests", retryAfterMilliseconds: wait)
        default: return EnergyError(.invalidInput, "\(shown) answered \(status)")
        }
    }

    /// `Retry-After`: seconds or a date, at most a day.
    static func milliseconds(retryAfter text: String, now: Timestamp) -> Int64? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if let seconds = Int64(text) { return seconds < 0 ? nil : min(seconds, retryAfterMax / 1000) * 1000 }
        return date(text).map { min(max(0, $0.milliseconds(since: now)), retryAfterMax) }
    }

    /// An HTTP date, RFC 9110 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`; the two obsolete forms are not read.
    public static func date(_ text: String) -> Timestamp? {
        guard
            let match = text.wholeMatch(
                of: /\s*[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT\s*/),
            let month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
                .firstIndex(of: String(match.2))
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return TimeLabel("\(match.3)-\(number)-\(match.1)T\(match.4)Z")?.instant(in: .gmt, after: nil)
    }

    /// - Parameter header: of `Content-Type`, with parameters.
    public static func isAccepted(contentType header: String?, by accepted: Set<String>) -> Bool {
        if accepted.isEmpty { return true }
        guard let type = header?.split(separator: ";").first else { return false }
        return accepted.contains(type.trimmingCharacters(in: .whitespaces).lowercased())
    }
}

extension HTTPRules {
    /// The request that a redirection asks for. Headers, which may hold keys, and a POST go to the same host only.
    ///
    /// - Throws: ``EnergyError`` `.unavailable` for a place that cannot be gone to.
    public static func redirected(_ request: HTTPRequest, to location: String) throws(EnergyError) -> HTTPRequest {
        guard let from = URL(string: request.url), let to = URL(string: location, relativeTo: from)?.absoluteURL,
            let host = to.host()
        else { throw EnergyError(.unavailable, "\(shown(request.url)) redirects to a place that is no address") }
        var next = request
        next.url = to.absoluteString
        if host.lowercased() != from.host()?.lowercased() || to.port != from.port { next.headers = [] }
        do throws(EnergyError) { try check(url: next.url) } catch {
            throw EnergyError(.unavailable, "\(shown(request.url)) redirects to a place without https")
        }
        return next
    }
}
