internal import EnergyTransport

/// Where the services are, as options, environments and files say it:
///
///     guidance=tcp://127.0.0.1:7400,tcp://127.0.0.1:7401;events=ipc:///run/gridtide/e,ipc:///run/gridtide/ep
///
/// Services are separated by `;` or white space. After the name: the address for requests, then the one for
/// publications; more replicas follow as more such pairs. The name of a host with several addresses is a replica at each of
/// them, as is that of a service (`srv://_gt-guidance._tcp.example.org`) at each place that DNS lists. What is not named is where `make run-all` starts it.
public struct Endpoints: Hashable, Sendable {
    private var named: [ServiceKind: Endpoint] = [:]

    public static let replicasMax = 64

    public init() {}

    /// - Throws: what is wrong, and what would be right.
    public init(parsing text: String) throws(EndpointsError) {
        for entry in text.split(whereSeparator: { $0 == ";" || $0.isWhitespace }) {
            let parts = entry.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { throw Endpoints.unknown(String(entry)) }
            try name(String(parts[0]), String(parts[1]))
        }
    }

    public subscript(_ service: ServiceKind) -> Endpoint { named[service] ?? service.defaultEndpoint }

    /// - Parameters:
    ///   - service: its name, for example `guidance`.
    ///   - addresses: separated by commas, in pairs.
    public mutating func name(_ service: String, _ addresses: String) throws(EndpointsError) {
        guard let kind = ServiceKind(rawValue: service) else { throw Endpoints.unknown("\(service)=\(addresses)") }
        guard named[kind] == nil else { throw EndpointsError("'\(service)' is named twice") }
        named[kind] = try Endpoints.endpoint(addresses, of: kind)
    }

    private static func endpoint(_ text: String, of service: ServiceKind) throws(EndpointsError) -> Endpoint {
        let addresses = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if let wrong = addresses.first(where: { !isAddress($0) }) {
            throw EndpointsError("'\(wrong)' of \(service.rawValue) must be tcp://HOST:PORT, srv://NAME or ipc://PATH")
        }
        if let wrong = addresses.first(where: { isEveryAddress($0) }) {
            throw EndpointsError(
                "'\(wrong)' of \(service.rawValue) is where a service listens on all addresses of its host; say one of these, "
                    + "or the host's name")
        }
        guard addresses.count.isMultiple(of: 2), addresses.count <= 2 * replicasMax else {
            throw EndpointsError(
                "\(service.rawValue) needs its addresses in pairs, the one for requests and the one for "
                    + "publications, of at most \(replicasMax) replicas")
        }
        return Endpoint(
            requestAddresses: stride(from: 0, to: addresses.count, by: 2).map { addresses[$0] },
            publishAddresses: stride(from: 1, to: addresses.count, by: 2).map { addresses[$0] })
    }

    private static func unknown(_ entry: String) -> EndpointsError {
        let names = ServiceKind.allCases.map(\.rawValue).joined(separator: ", ")
        return EndpointsError("'\(entry)' must be NAME=REQUESTS,PUBLICATIONS with one of the names \(names)")
    }

    private static func isEveryAddress(_ text: String) -> Bool {
        TCPAddress(text)?.isEveryAddress == true
    }

    private static func isAddress(_ text: String) -> Bool {
        if text.hasPrefix("ipc://") { return text.utf8.count > 6 }
        return ServiceName.isOne(text) || TCPAddress(text)?.port != nil
    }
}

/// What is wrong with written endpoints, and what would be right.
public struct EndpointsError: Error, Hashable, Sendable {
    /// Says neither option nor file: the reader of the text knows where it stands.
    public let message: String

    init(_ message: String) { self.message = message }
}
