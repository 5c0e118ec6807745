internal import EnergyModel
internal import Foundation

/// Demand-response events, a line each.
enum DemandResponseTable {
    /// - Parameter zones: the clock of each event.
    static func lines(
        _ events: [DemandResponseEvent], zones: [TimeZone], venues: [Venue], now: Timestamp, _ style: Style
    ) -> [String] {
        // One clock is said below the table, several are a column.
        let common = Set(zones).count == 1 ? zones.first : nil
        var table = Table([
            .init("from"), .init("to"), .init("zone"), .init("what", dropOrder: 2),
            .init("for", dropOrder: 1, shrinks: true), .init("price", .right, dropOrder: 3),
            .init("state", dropOrder: 0),
            .init("reason", dropOrder: 5, shrinks: true), .init("id", dropOrder: 4, wraps: true),
        ])
        for (event, zone) in zip(events, zones) {
            let (start, end) = (VenueTime(event.interval.start, in: zone), VenueTime(event.interval.end, in: zone))
            let until = start.date == end.date ? end.clock : "\(end.date.short) \(end.clock)"
            let date = start.date.told(on: VenueTime(now, in: zone).date)
            let price = event.price.map { "\(Quantities.price($0)) \(event.currency ?? "")" } ?? ""
            let (state, color) = state(event, now)
            table.add([
                .init("\(date) \(start.clock)"), .init(until),
                .init(common == nil ? zone.identifier : ""), .init(Words.spaced(event.kind.rawValue)),
                .init(target(event.scope, venues)), .init(price), .init(state, color), .init(event.reason),
                .init(event.id.text),
            ])
        }
        let lines = table.lines(style) + table.notes(style)
        guard let common else { return lines }
        return lines
            + TerminalText.wrap("Times are in \(common.identifier).", to: style.width).map { style.paint($0, .dim) }
    }

    private static func target(_ scope: DemandResponseEvent.Scope, _ venues: [Venue]) -> String {
        switch scope {
        case .venue(let id): venues.first { $0.id == id }?.name ?? id.text
        case .region(let region): "region \(region)"
        case .all: "all"
        }
    }

    private static func state(_ event: DemandResponseEvent, _ now: Timestamp) -> (String, Style.Color?) {
        if event.cancelled != nil { return ("cancelled", .dim) }
        if event.interval.end <= now { return ("over", .dim) }
        return event.interval.start <= now ? ("now", .red) : ("ahead", .yellow)
    }
}
