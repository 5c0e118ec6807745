internal import EnergyTransport

/// What the transport has counted, as Prometheus reads it. Nothing that it drops is left out.
enum TransportMetrics {
    private typealias Row = (
        name: String, type: String, help: String, value: any KeyPath<TransportStatistics, UInt64> & Sendable
    )

    private static let serverRows: [Row] = [
        ("gridtide_requests_started_total", "counter", "Requests that reached a method.", \.callsStarted),
        (
            "gridtide_requests_refused_total", "counter",
            "Requests answered before they reached a method: malformed, unknown, too large, too many.", \.callsRefused
        ),
        ("gridtide_requests_expired_total", "counter", "Requests whose timeout was over.", \.callsExpired),
        ("gridtide_requests_cancelled_total", "counter", "Requests that their callers cancelled.", \.callsCancelled),
        (
            "gridtide_requests_duplicate_total", "counter",
            "Requests dropped because their call id was in flight on the same connection.", \.callsDuplicate
        ),
        ("gridtide_requests_left_total", "counter", "Requests left to another replica.", \.callsLeft),
        ("gridtide_requests_in_flight", "gauge", "Requests whose handler runs, streams included.", \.callsInFlight),
        ("gridtide_streams_open", "gauge", "Streamed replies whose handler runs.", \.streamsOpen),
        ("gridtide_peers", "gauge", "Callers with requests in flight or heard lately.", \.peers),
        ("gridtide_connections_refused_total", "counter", "Connections whose key is not known.", \.connectionsRefused),
        (
            "gridtide_handshakes_failed_total", "counter",
            "Connections without a key, for another service's, or that never finished their handshake.",
            \.handshakesFailed
        ),
        ("gridtide_peers_lost_total", "counter", "Callers gone while requests were in flight.", \.peersLost),
        ("gridtide_frames_received_total", "counter", "Messages read from callers.", \.framesReceived),
        ("gridtide_frames_sent_total", "counter", "Messages handed to the link, publications included.", \.framesSent),
        (
            "gridtide_frames_malformed_total", "counter",
            "Messages dropped that are no frame, or whose sender named itself.", \.framesUnrecognised
        ),
        (
            "gridtide_frames_unexpected_total", "counter",
            "Frames dropped because only a server sends their kind.", \.framesUnexpected
        ),
        ("gridtide_frames_parked_total", "counter", "Frames kept until their caller reads.", \.framesParked),
        (
            "gridtide_replies_shortened_total", "counter",
            "Replies replaced by a status because their caller does not read.", \.repliesShortened
        ),
        (
            "gridtide_frames_undeliverable_total", "counter",
            "Frames dropped because their caller is gone or does not read.", \.framesUndeliverable
        ),
        ("gridtide_publications_total", "counter", "Publications.", \.publications),
        (
            "gridtide_publications_dropped_total", "counter",
            "Publications that at least one slow subscriber missed and has to fetch.", \.publicationsDropped
        ),
        ("gridtide_subscriptions_total", "counter", "Subscriptions that arrived.", \.subscriptions),
        ("gridtide_subscriptions_open", "gauge", "Prefixes subscribed now, of all subscribers.", \.subscriptionsOpen),
    ]

    private static let connectionRows: [Row] = [
        ("gridtide_peer_connections_total", "counter", "Connections made to the service.", \.connections),
        ("gridtide_peer_connections_lost_total", "counter", "Connections to it that broke.", \.connectionsLost),
        ("gridtide_peer_calls_retried_total", "counter", "Calls sent to it once more.", \.callsRetried),
        (
            "gridtide_peer_publications_received_total", "counter", "Publications of it received.",
            \.publicationsReceived
        ),
        (
            "gridtide_peer_publications_recovered_total", "counter", "Publications missed and fetched.",
            \.publicationsRecovered
        ),
        (
            "gridtide_peer_topics_missed_total", "counter", "Gaps in a topic that only a snapshot could heal.",
            \.topicsMissed
        ),
        (
            "gridtide_peer_subscriptions_overflowed_total", "counter",
            "Times that this process was too slow for its subscription.", \.subscriptionsOverflowed
        ),
    ]

    /// - Parameters:
    ///   - server: `nil` where nothing is answered.
    ///   - connections: by the peer's name.
    static func exposition(server: TransportStatistics?, connections: [String: TransportStatistics]) -> String {
        var text = ""
        if let server {
            text += replies(server)
            for row in serverRows {
                text += PrometheusText.header(row.name, type: row.type, help: row.help)
                text += "\(row.name) \(server[keyPath: row.value])\n"
            }
        }
        guard !connections.isEmpty else { return text }
        for row in connectionRows {
            text += PrometheusText.header(row.name, type: row.type, help: row.help)
            for (peer, statistics) in connections.sorted(by: { $0.key < $1.key }) {
                text += "\(row.name)\(PrometheusText.labels([("peer", peer)])) \(statistics[keyPath: row.value])\n"
            }
        }
        return text
    }

    private static func replies(_ statistics: TransportStatistics) -> String {
        let name = "gridtide_requests_total"
        return StatusCode.allCases.reduce(
            PrometheusText.header(
                name, type: "counter", help: "Requests answered, refused ones included, left ones not, by status.")
        ) { text, code in
            let count = statistics.repliesByStatus[Int(code.rawValue)]
            return text + "\(name)\(PrometheusText.labels([("status", "\(code)")])) \(count)\n"
        }
    }
}
