internal import EnergyModel

/// Where the services are, as `--endpoints` and `GRIDTIDE_ENDPOINTS` say it:
///
///     guidance=tcp://127.0.0.1:7400,tcp://127.0.0.1:7401;events=ipc:///run/gridtide/e,ipc:///run/gridtide/ep
///
/// Services are separated by `;` or white space. After the name: the address for requests, then the one for
/// publications; more replicas follow as more such pairs. What is not named is where `make run-all` starts it.
struct Endpoints: Hashable, Sendable {
    private(set) var named: [ServiceKind: Endpoint] = [:]

    static let environmentKey = "GRIDTIDE_ENDPOINTS"
    static let replicasMax = 64

    init() {}

    /// - Throws: ``CommandFailure`` `.usage` with what is wrong and what would be right.
    init(parsing text: String) throws(CommandFailure) {
        for entry in text.split(whereSeparator: { $0 == ";" || $0.isWhitespace }) {
            let parts = entry.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let service = ServiceKind(rawValue: String(parts[0])) else {
                let names = ServiceKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw .usage("endpoints: '\(entry)' must be NAME=REQUESTS,PUBLICATIONS with one of the names \(names)")
            }
            guard named[service] == nil else { throw .usage("endpoints: '\(service.rawValue)' is named twice") }
            named[service] = try Endpoints.endpoint(String(parts[1]), of: service)
        }
    }

    subscript(_ service: ServiceKind) -> Endpoint { named[service] ?? service.defaultEndpoint }

    private static func endpoint(_ text: String, of service: ServiceKind) throws(CommandFailure) -> Endpoint {
        let addresses = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if let wrong = addresses.first(where: { !isAddress($0) }) {
            throw .usage("endpoints: '\(wrong)' of \(service.rawValue) must be tcp://HOST:PORT or ipc://PATH")
        }
        guard addresses.count.isMultiple(of: 2), addresses.count <= 2 * replicasMax else {
            throw .usage(
                "endpoints: \(service.rawValue) needs its addresses in pairs, the one for requests and the one for "
                    + "publications, of at most \(replicasMax) replicas")
        }
        return Endpoint(
            requestAddresses: stride(from: 0, to: addresses.count, by: 2).map { addresses[$0] },
            publishAddresses: stride(from: 1, to: addresses.count, by: 2).map { addresses[$0] })
    }

    private static func isAddress(_ text: String) -> Bool {
        if text.hasPrefix("ipc://") { return text.utf8.count > 6 }
        guard text.hasPrefix("tcp://"), let colon = text.lastIndex(of: ":"),
            let port = Int(text[text.index(after: colon)...]), 1...65_535 ~= port
        else { return false }
        return text[..<colon].utf8.count > 6
    }
}
