public import EnergyModel
public import Foundation

/// Demand-response events in a document: a plain list, or OpenADR 3 events with the payload SIMPLE.
///
/// Plain: a list (or `events`) of maps with `start`, `end` or `duration`, `kind` (criticalPeak, which is the default, or
/// reduce), and, as wanted, `id` (a UUID), `venue` (a UUID) or `region`, `reason`, `price` and `currency`.
///
/// OpenADR: SIMPLE 0 is no event, and ends the one that was declared of the same interval; 1 is `reduce`, 2 and 3 are `criticalPeak`; a PRICE beside it is the event's price. A
/// target must be one SERVICE_AREA, which is a region, unless the caller says for whom the events are.
///
/// Without an `id` of their own, events get one from what the document calls them, or from when and for whom they are:
/// the same document read again means the same events.
public enum DemandResponseDocument {
    public static let eventsMax = 1_000

    /// - Parameters:
    ///   - bytes: JSON or YAML.
    ///   - scope: for whom, in place of what the document says; `nil` takes what it says, and all if it says nothing.
    /// - Throws: ``EnergyError`` `.invalidInput` naming the path in the document and what would be right.
    public static func read(
        _ bytes: [UInt8], scope: DemandResponseEvent.Scope? = nil
    ) throws(EnergyError) -> [DemandResponseEvent] {
        try readUpdate(bytes, scope: scope).events
    }

    /// As ``read(_:scope:)``, with what the document ends: OpenADR's intervals of SIMPLE 0, and all of an event in a
    /// notification whose operation is DELETE.
    public static func readUpdate(
        _ bytes: [UInt8], scope: DemandResponseEvent.Scope? = nil
    ) throws(EnergyError) -> (events: [DemandResponseEvent], ended: [UUID]) {
        let root = try DocumentNode(bytes)
        // A file that somebody emptied declares nothing.
        guard root.exists else { return ([], []) }
        if root["operation"].exists, root["object"].exists {
            let (events, ended) = try simple(root["object"], scope)
            let isDeleted = try root["operation"].text() == "DELETE"
            return isDeleted ? ([], events.map(\.id) + ended) : (events, ended)
        }
        let list = root["events"].exists ? root["events"] : root
        let first = list["0"].exists ? list["0"] : root
        let (events, ended) =
            first["intervals"].exists ? try simple(root, scope) : (try plain(list, scope), [])
        guard events.count <= eventsMax else { throw root.refusal("must have at most 1,000 events", "\(events.count)") }
        return (events, ended)
    }

    private static func plain(
        _ list: DocumentNode, _ scope: DemandResponseEvent.Scope?
    ) throws(EnergyError) -> [DemandResponseEvent] {
        var result: [DemandResponseEvent] = []
        for node in try list.elements("must be a list of events") {
            let own = try self.scope(node)
            let price = node["price"].exists ? try node["price"].price() : nil
            let interval = try self.interval(node)
            let target = scope ?? own
            let name = "\(interval.start.unixMilliseconds) \(target)"
            result.append(
                DemandResponseEvent(
                    id: try uuid(node["id"]) ?? UUID(naming: name), kind: try kind(node["kind"]), scope: target,
                    interval: interval, reason: try node["reason"].textIfPresent() ?? "", price: price,
                    currency: try node["currency"].textIfPresent()))
        }
        return result
    }

    private static func simple(
        _ root: DocumentNode, _ scope: DemandResponseEvent.Scope?
    ) throws(EnergyError) -> (events: [DemandResponseEvent], ended: [UUID]) {
        let document = try OpenADRDocument(root)
        var (result, ended): ([DemandResponseEvent], [UUID]) = ([], [])
        for event in document.events {
            let target = if let scope { scope } else { try serviceArea(event.node) }
            let title = try event.node["eventName"].textIfPresent() ?? ""
            let name = try event.node["id"].textIfPresent() ?? title
            for (index, span) in event.intervals.enumerated() {
                guard let level = try span.value("SIMPLE")?.whole(in: 0...3) else { continue }
                let program = try event.node["programID"].textIfPresent() ?? ""
                let unnamed = name.isEmpty ? "\(span.start.unixMilliseconds) \(target)" : ""
                let id = UUID(naming: "\(program)/\(name)/\(index)/\(unnamed)")
                if level == 0 {
                    ended.append(id)
                    continue
                }
                guard case .milliseconds(let length) = span.length else {
                    throw span.node["intervalPeriod"]["duration"].refusal("must end")
                }
                let price = try span.value("PRICE").map { (node) throws(EnergyError) in try node.price() }
                result.append(
                    DemandResponseEvent(
                        id: id, kind: level == 1 ? .reduce : .criticalPeak, scope: target,
                        interval: Interval(start: span.start, milliseconds: length), reason: title, price: price,
                        currency: price == nil ? nil : document.currency))
            }
        }
        return (result, ended)
    }

    private static func serviceArea(_ event: DocumentNode) throws(EnergyError) -> DemandResponseEvent.Scope {
        guard event["targets"].exists else { return .all }
        let targets = try event["targets"].elements()
        if targets.isEmpty { return .all }
        guard targets.count == 1, try targets[0]["type"].text() == "SERVICE_AREA",
            try targets[0]["values"].elements().count == 1
        else {
            throw event["targets"].refusal("must be one SERVICE_AREA, or a venue or region must be said")
        }
        return .region(try targets[0]["values"]["0"].text())
    }

    private static func scope(_ node: DocumentNode) throws(EnergyError) -> DemandResponseEvent.Scope {
        let region = try node["region"].textIfPresent()
        if let venue = try uuid(node["venue"]) {
            if region != nil { throw node["region"].refusal("must be absent with a venue") }
            return .venue(venue)
        }
        return region.map { .region($0) } ?? .all
    }

    private static func interval(_ node: DocumentNode) throws(EnergyError) -> Interval {
        guard let start = OpenADRPeriod.time(try node["start"].text("must be a time")) else {
            throw node["start"].refusal("must be a time like 2026-07-01T16:00:00-07:00")
        }
        if let text = try node["duration"].textIfPresent() {
            guard case .milliseconds(let length)? = OpenADRPeriod.length(text) else {
                throw node["duration"].refusal("must be a duration like PT4H")
            }
            return Interval(start: start, milliseconds: length)
        }
        guard let end = OpenADRPeriod.time(try node["end"].text("must be a time, or there must be a duration")),
            let interval = Interval(start: start, end: end)
        else { throw node["end"].refusal("must be a time after the start") }
        return interval
    }

    private static func kind(_ node: DocumentNode) throws(EnergyError) -> DemandResponseEvent.Kind {
        guard let text = try node.textIfPresent() else { return .criticalPeak }
        guard let kind = DemandResponseEvent.Kind(rawValue: text) else {
            throw node.refusal("must be criticalPeak or reduce")
        }
        return kind
    }

    private static func uuid(_ node: DocumentNode) throws(EnergyError) -> UUID? {
        guard let text = try node.textIfPresent() else { return nil }
        guard let id = UUID(uuidString: text) else { throw node.refusal("must be a UUID") }
        return id
    }
}
