internal import EnergyModel

/// The events of an OpenADR 3 document: one event, a list, or an object with `events`.
///
/// - Source: OpenADR 3.0.1 and 3.1.0 specification, "Event".
struct OpenADRDocument {
    struct Event {
        let node: DocumentNode
        let period: OpenADRPeriod
        let intervals: [Span]
        /// 0 is the most important; an event that says none is the least.
        let priority: Int
    }

    /// One of an event's intervals.
    struct Span {
        let node: DocumentNode
        let start: Timestamp
        let length: OpenADRPeriod.Length
    }

    let events: [Event]
    /// `programName`, if the document has a program.
    let name: String?
    /// What the payload descriptors say; `nil` when none does.
    let currency: String?

    init(_ root: DocumentNode) throws(EnergyError) {
        let nodes: [DocumentNode]
        if case .list? = root.value {
            nodes = try root.elements()
        } else {
            nodes = root["events"].exists ? try root["events"].elements() : [root]
        }
        var (events, currency): ([Event], String?) = ([], nil)
        for node in nodes {
            events.append(try Self.event(node))
            guard node["payloadDescriptors"].exists else { continue }
            for descriptor in try node["payloadDescriptors"].elements() {
                guard let type = try descriptor["payloadType"].textIfPresent(), type.hasSuffix("PRICE") else {
                    continue
                }
                if let units = try descriptor["units"].textIfPresent(), units != "KWH" {
                    throw descriptor["units"].refusal("must be KWH")
                }
                guard let code = try descriptor["currency"].textIfPresent() else { continue }
                if let currency, currency != code {
                    throw descriptor["currency"].refusal("must be one for the whole document, \(currency)")
                }
                currency = code
            }
        }
        // The most important last: of dated rates the last wins.
        self.events = events.enumerated().sorted { ($1.element.priority, $0.offset) < ($0.element.priority, $1.offset) }
            .map(\.element)
        self.currency = currency
        name = try (root["program"].exists ? root["program"] : root)["programName"].textIfPresent()
    }

    private static func event(_ node: DocumentNode) throws(EnergyError) -> Event {
        let period = try OpenADRPeriod(node["intervalPeriod"])
        let priority = node["priority"].exists ? try node["priority"].whole(in: 0...1_000_000) : Int.max
        var (spans, next): ([Span], Timestamp?) = ([], period.start)
        for interval in try node["intervals"].elements("must be a list of intervals", count: 1...10_000) {
            let own = try OpenADRPeriod(interval["intervalPeriod"])
            guard let start = own.start ?? next else {
                throw interval["intervalPeriod"]["start"].refusal("must say when, as the event does not")
            }
            guard let length = own.length ?? period.length else {
                throw interval["intervalPeriod"]["duration"].refusal("must say how long, as the event does not")
            }
            spans.append(Span(node: interval, start: start, length: length))
            if case .milliseconds(let milliseconds) = length {
                next = start.advanced(byMilliseconds: milliseconds)
            } else {
                next = nil
            }
        }
        return Event(node: node, period: period, intervals: spans, priority: priority)
    }
}

extension OpenADRDocument.Span {
    /// The first value of a payload of the type.
    func value(_ type: String) throws(EnergyError) -> DocumentNode? {
        for payload in try node["payloads"].elements("must be a list of payloads")
        where
            try payload["type"].text() == type
        {
            return try payload["values"].elements("must be a list with a value", count: 1...1_000)[0]
        }
        return nil
    }
}
