internal import EnergyWire
internal import ServiceEndpoints

/// One line per service.
enum HealthView {
    private static let advice =
        "To start all services: make run-all. If that runs already, it says why a service is down, and tries it again."

    static func lines(_ reports: [HealthReport], _ style: Style) -> [String] {
        var table = Table([
            .init("service"), .init("status"), .init("version", dropOrder: 1), .init("address", dropOrder: 2),
            .init("reason", shrinks: true),
        ])
        for report in reports {
            let (word, color): (String, Style.Color) =
                switch report.state {
                case .serving: ("SERVING", .green)
                case .notServing: ("NOT SERVING", .yellow)
                case .unreachable: ("UNREACHABLE", .red)
                }
            table.add([
                .init(report.service.executable), .init(word, color), .init(report.version ?? ""),
                .init(report.address), .init(report.reason),
            ])
        }
        let isUnreachable = reports.contains { $0.state == .unreachable }
        return table.lines(style) + (isUnreachable ? [""] + TerminalText.wrap(advice, to: style.width) : [])
    }
}

struct HealthDocument: Encodable {
    struct Part: Codable {
        let service: String
        let status: String
        let reason: String
    }
    struct Service: Codable {
        let name: String
        let address: String
        let status: String
        let reason: String
        let version: String?
        let services: [Part]
    }
    let serving: Bool
    let services: [Service]

    init(_ reports: [HealthReport]) {
        serving = reports.allSatisfy { $0.state == .serving }
        services = reports.map { report in
            Service(
                name: report.service.executable, address: report.address,
                status: Words.snake(report.state.rawValue), reason: report.reason, version: report.version,
                services: report.parts.map {
                    Part(service: $0.service, status: Words.snake($0.status.rawValue), reason: $0.reason)
                })
        }
    }
}
