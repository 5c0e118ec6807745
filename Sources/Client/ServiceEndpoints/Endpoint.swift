/// Where one service listens: as many publish as request addresses, one pair per replica.
public struct Endpoint: Hashable, Sendable {
    public var requestAddresses: [String]
    public var publishAddresses: [String]

    public init(requestAddresses: [String], publishAddresses: [String]) {
        self.requestAddresses = requestAddresses
        self.publishAddresses = publishAddresses
    }

    static func local(requestPort: Int) -> Endpoint {
        Endpoint(
            requestAddresses: ["tcp://127.0.0.1:\(requestPort)"],
            publishAddresses: ["tcp://127.0.0.1:\(requestPort + 1)"])
    }
}
