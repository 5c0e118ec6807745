internal import EnergyTransport

/// A place to bind: an IP address with a port, or a path.
enum SocketEndpoint: Hashable, Sendable, CustomStringConvertible {
    case ip4(String, UInt16)
    case ip6(String, UInt16)
    case ipc(String)

    /// - Parameter text: `tcp://127.0.0.1:7400`, `tcp://[::1]:7400`, `tcp://*:7400`, `ipc:///run/gridtide/x.sock`.
    /// - Returns: `nil` for names other than `localhost`: a service binds to what the machine has, not to what a name
    ///   server says.
    init?(_ text: String) {
        if text.hasPrefix("ipc://") {
            self = .ipc(String(text.dropFirst(6)))
            return
        }
        guard let address = TCPAddress(text) else { return nil }
        let (host, port) = (address.host, address.port ?? 0)
        switch host {
        case "localhost": self = .ip4("127.0.0.1", port)
        case "*": self = .ip4("0.0.0.0", port)
        case _ where host.contains(":"): self = .ip6(host, port)
        case _ where host.split(separator: ".").compactMap({ UInt8($0) }).count == 4: self = .ip4(host, port)
        default: return nil
        }
    }

    /// Nobody on another machine can reach it.
    var isLocal: Bool {
        switch self {
        case .ip4(let host, _): host.hasPrefix("127.")
        case .ip6(let host, _): host == "::1"
        case .ipc: true
        }
    }

    var description: String {
        switch self {
        case .ip4(let host, let port): "tcp://\(host):\(port)"
        case .ip6(let host, let port): "tcp://[\(host)]:\(port)"
        case .ipc(let path): "ipc://\(path)"
        }
    }
}
