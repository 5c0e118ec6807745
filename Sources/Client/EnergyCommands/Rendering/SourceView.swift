internal import EnergyModel
internal import EnergyWire
internal import Foundation

/// The sources of each region, the preferred first, a line each; under it what is wrong with them.
struct SourceView {
    let sources: [RegionSource]
    let now: Timestamp
    let style: Style

    func lines() -> [String] {
        var table = Table([
            .init("region"), .init("source", shrinks: true), .init("kind", dropOrder: 2), .init(""),
            .init("newest value", .right), .init("heard", .right, dropOrder: 1), .init("next", .right, dropOrder: 3),
        ])
        for source in sources {
            let status = source.status
            table.add([
                .init(TerminalText.safe(source.region)), .init(TerminalText.safe(status.name)),
                .init(Self.kind(status)), .init(Self.use(source)),
                .init(status.newestValue.map(age) ?? "-"), .init(status.lastSuccess.map(age) ?? "-"),
                .init(status.nextAttempt.map(wait) ?? "-"),
            ])
        }
        return table.lines(style) + notes()
    }

    private func notes() -> [String] {
        var notes: [String] = []
        for source in sources {
            let name = "\(TerminalText.safe(source.region)), \(TerminalText.safe(source.status.name))"
            if let error = source.status.lastError { notes.append("\(name): \(TerminalText.safe(error))") }
            if let skew = source.status.clockSkewMilliseconds {
                let side = skew > 0 ? "ahead of" : "behind"
                notes.append(
                    "\(name): its clock is \(Quantities.length(milliseconds: abs(skew))) \(side) ours; one is wrong")
            }
        }
        guard !notes.isEmpty else { return [] }
        return [""] + notes.flatMap { TerminalText.wrap($0, to: style.width) }
    }

    private func age(_ instant: Timestamp) -> String {
        let age = now.milliseconds(since: instant)
        return age >= 0
            ? "\(Quantities.length(milliseconds: age)) ago" : "in \(Quantities.length(milliseconds: -age))"
    }

    private func wait(_ instant: Timestamp) -> String {
        let wait = instant.milliseconds(since: now)
        return wait > 0 ? "in \(Quantities.length(milliseconds: wait))" : "now"
    }

    private static func use(_ source: RegionSource) -> String {
        [source.status.isInUse ? "in use" : nil, source.isAutomatic ? "automatic" : nil].compactMap(\.self)
            .joined(separator: ", ")
    }

    private static func kind(_ status: SignalSourceStatus) -> String {
        switch status.kind {
        case .averageDirect: "average"
        case .averageLifecycle: "average, lifecycle"
        case .marginal: "marginal"
        case .price: status.currency.map { "price, \(TerminalText.safe($0))" } ?? "price"
        }
    }
}
