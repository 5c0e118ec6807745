/// A place in a network, as it is written everywhere: `tcp://HOST:PORT`.
public struct TCPAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name or an IP address, that of IPv6 without its brackets; `*` stands for all addresses of the host. Not empty.
    public let host: String
    /// `nil` where the system is to choose: `*`, or 0.
    public let port: UInt16?
    private let isBracketed: Bool

    /// - Returns: `nil` for anything else.
    public init?(_ text: String) {
        let rest = text.dropFirst(Self.scheme.count)
        guard text.hasPrefix(Self.scheme), let colon = rest.lastIndex(of: ":"), rest.startIndex < colon else {
            return nil
        }
        let port = rest[rest.index(after: colon)...]
        guard port == "*" || UInt16(port) != nil else { return nil }
        let host = rest[..<colon]
        isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        self.host = String(isBracketed ? host.dropFirst().dropLast() : host)
        self.port = UInt16(port).flatMap { $0 == 0 ? nil : $0 }
    }

    private static let scheme = "tcp://"

    /// Nobody on another machine can reach it.
    public var isLoopback: Bool { host.hasPrefix("127.") || ["localhost", "::1"].contains(host) }

    /// Where a service listens on whatever the host has; nothing can be sent there.
    public var isEveryAddress: Bool { ["*", "0.0.0.0", "::"].contains(host) }

    public var description: String {
        "\(Self.scheme)\(isBracketed ? "[\(host)]" : host):\(port.map { "\($0)" } ?? "*")"
    }
}
