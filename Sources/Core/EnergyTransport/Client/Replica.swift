/// One of the processes of a service: where it answers, and where it publishes.
public struct Replica: Hashable, Sendable {
    /// `nil` is not known.
    public let requestAddress: String?
    public let publishAddress: String?

    public init(requestAddress: String?, publishAddress: String?) {
        self.requestAddress = requestAddress
        self.publishAddress = publishAddress
    }

    /// Pairs the addresses of two lists; if their lengths differ, nobody knows which belong together.
    public static func pairs(_ requestAddresses: [String], _ publishAddresses: [String]) -> [Replica] {
        if requestAddresses.count == publishAddresses.count {
            return zip(requestAddresses, publishAddresses).map { Replica(requestAddress: $0, publishAddress: $1) }
        }
        return requestAddresses.map { Replica(requestAddress: $0, publishAddress: nil) }
            + publishAddresses.map { Replica(requestAddress: nil, publishAddress: $0) }
    }
}
