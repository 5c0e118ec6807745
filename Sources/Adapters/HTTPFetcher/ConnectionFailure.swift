internal import EnergyModel
internal import Foundation
internal import NIOCore
internal import NIOPosix

/// Why there was no connection, in words that tell what to do: look for the address, the service, or the network.
enum ConnectionFailure {
    /// - Parameter shown: host and path.
    /// - Returns: `nil` for an error of another kind.
    static func error(_ error: any Error, _ shown: String) -> EnergyError? {
        let host = shown.prefix { $0 != "/" }
        switch error {
        case let error as IOError: return EnergyError(.unavailable, "\(host) \(said(error.errnoCode))")
        case let error as NIOConnectionError:
            let codes = error.connectionErrors.compactMap { ($0.error as? IOError)?.errnoCode }
            if let code = codes.first { return EnergyError(.unavailable, "\(host) \(said(code))") }
            let isUnknown = error.dnsAError != nil && error.dnsAAAAError != nil
            return EnergyError(
                .unavailable, "\(host) \(isUnknown ? "is a name without an address" : "cannot be reached")")
        default: return nil
        }
    }

    private static func said(_ code: CInt) -> String {
        switch code {
        case ECONNREFUSED: "refuses the connection: nothing answers there"
        case ECONNRESET, EPIPE: "ended the connection"
        default: "cannot be reached: \(String(cString: strerror(code)))"
        }
    }
}
