internal import Foundation
internal import KeyFiles
internal import ServiceEndpoints
internal import ZeroMQ

/// The file that is handed to a device or a person: where the services are, the keys to them, and one's own. It is what
/// ``ClientFile`` reads.
struct ClientBundle {
    let name: String
    let keys: CurveKeyPair
    /// By the names of the executables.
    let services: [String: [CurveKey]]
    let endpoints: Endpoints
    let venues: Set<UUID>?

    var text: String {
        var lines = [
            "# SECRET: whoever has this file is '\(name)'. Its owner only may read it: ~/.config/gridtide/client.yaml"
        ]
        lines.append("name: \(name)")
        if let venues { lines.append("venues: [\(venues.map(\.text).sorted().joined(separator: ", "))]") }
        lines.append("endpoints:")
        for service in ServiceKind.allCases {
            let endpoint = endpoints[service]
            let pairs = zip(endpoint.requestAddresses, endpoint.publishAddresses).map { "\($0),\($1)" }
            lines.append("  \(service.rawValue): \(pairs.joined(separator: ","))")
        }
        lines.append("keys:")
        lines.append("  secret: \"\(keys.secretKey.text)\"")
        lines.append("  services:")
        for service in ServiceKind.allCases {
            guard let keys = services[service.executable]?.map({ "\"\($0.text)\"" }), let first = keys.first else {
                continue
            }
            let text = keys.count == 1 ? first : "[\(keys.joined(separator: ", "))]"
            lines.append("    \(service.rawValue): \(text)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
