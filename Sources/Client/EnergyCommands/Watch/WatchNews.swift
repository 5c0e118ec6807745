internal import EnergyModel
internal import Foundation
internal import ServiceEndpoints

/// One entry of `watch`.
struct WatchNews: Sendable {
    enum Content: Sendable {
        case guidance(Guidance)
        case event(Event)
        case insight(InsightNews)
        case schedule(Schedule)
        case lost(ServiceKind)
        case back(ServiceKind)
        case notServing(ServiceKind, reason: String)
    }
    let content: Content
    /// `nil` for news of a service.
    let venue: Venue?
    /// Of the clock that the line is read on.
    let zone: TimeZone

    init(content: Content, venue: Venue) {
        self.content = content
        self.venue = venue
        zone = venue.timeZone
    }

    init(content: Content, zone: TimeZone) {
        self.content = content
        venue = nil
        self.zone = zone
    }

    /// `Fri 21 Nov 07:16:35  guidance  Home shift: Now Good (0.21) until 09:00, in 1 h 40 min; then Fair.`
    ///
    /// - Parameter showsOffset: says which clock it is, `07:16:35+01:00`.
    func lines(now: Timestamp, _ style: Style, showsOffset: Bool = false) -> [String] {
        let happened: Timestamp = if case .event(let event) = content { event.timestamp } else { now }
        let time = VenueTime(happened, in: zone)
        let clock = showsOffset && !time.isRepeated ? time.clockWithSeconds + time.offset : time.clockWithSeconds
        let label = kind + String(repeating: " ", count: max(0, 8 - kind.count))
        let head = "\(time.date.short) \(clock)"
        return TerminalText.fitted("\(head)  \(label)  \(sentence(now: now))", to: style.width).enumerated().map {
            guard $0 == 0, $1.hasPrefix("\(head)  \(label)") else { return $1 }
            return style.paint(head, .dim) + "  " + style.paint(label, color)
                + $1.dropFirst(head.count + 2 + label.count)
        }
    }

    private func sentence(now: Timestamp) -> String {
        let place = venue.map { TerminalText.safe($0.name) } ?? ""
        switch content {
        case .guidance(let guidance):
            return "\(place) \(guidance.action.rawValue): \(GuidanceOutlook(guidance).sentence(at: now, in: zone))"
        case .event(let event): return EventLine(event: event, zone: zone).sentence()
        case .insight(let insight): return "\(place): \(insight.sentence(in: zone))"
        case .schedule(let schedule):
            let zoned = venue.map { ScheduleOutlook(schedule: schedule, venue: $0).sentence(now: now) }
            return "\(TerminalText.safe(schedule.deviceID)): \(zoned ?? TerminalText.safe(schedule.explanation))"
        case .lost(let service): return "\(service.executable) is lost: its answers are unavailable until it returns"
        case .back(let service): return "\(service.executable) is back"
        case .notServing(let service, let reason):
            return "\(service.executable) is not serving: \(TerminalText.safe(reason))"
        }
    }

    var kind: String {
        switch content {
        case .guidance: "guidance"
        case .event: "event"
        case .insight: "insight"
        case .schedule: "schedule"
        case .lost: "lost"
        case .back: "back"
        case .notServing: "health"
        }
    }

    private var color: Style.Color? {
        switch content {
        case .lost: .red
        case .back: .green
        case .notServing: .yellow
        default: nil
        }
    }
}

/// Energy and run time of a device, or of a venue, in a few days.
struct InsightNews: Sendable {
    /// `nil` is the whole venue.
    let deviceID: String?
    let interval: Interval
    let amount: InsightAmount

    /// `car-1 12.34 kWh in 1:40 h on Fri 21 Nov`
    func sentence(in zone: TimeZone) -> String {
        let first = VenueTime(interval.start, in: zone).date
        let last = VenueTime(interval.end.advanced(byMilliseconds: -1), in: zone).date
        let when = first == last ? "on \(first.short)" : "from \(first.short) to \(last.short)"
        let time = Quantities.runtime(milliseconds: amount.runtimeMilliseconds)
        let used =
            amount.measuresEnergy ? "\(Quantities.kilowattHours(amount.energy)) kWh in \(time) h" : "ran for \(time) h"
        return "\(deviceID.map(TerminalText.safe) ?? "all devices") \(used) \(when)"
    }
}

/// One line of `watch --json`.
struct WatchDocument: Encodable {
    struct InsightPart: Encodable {
        let venueId: String?
        let deviceId: String?
        let start: String
        let end: String
        /// `nil` where none was reported.
        let energyMwh: Int64?
        let runtimeMs: Int64
    }
    let kind: String
    let time: String
    var guidance: GuidanceDocument?
    var event: EventDocument?
    var insight: InsightPart?
    var schedule: ScheduleDocument?
    var service: String?
    var reason: String?

    init(_ news: WatchNews, now: Timestamp) {
        let zone = news.zone
        kind = news.kind
        time = now.iso8601(in: zone)
        switch news.content {
        case .guidance(let value): guidance = GuidanceDocument(value, in: zone)
        case .event(let value): event = EventDocument(value, in: zone)
        case .insight(let value):
            insight = InsightPart(
                venueId: news.venue?.id.text, deviceId: value.deviceID,
                start: value.interval.start.iso8601(in: zone), end: value.interval.end.iso8601(in: zone),
                energyMwh: value.amount.measuresEnergy ? value.amount.energy.milliwattHours : nil,
                runtimeMs: value.amount.runtimeMilliseconds)
        case .schedule(let value): schedule = ScheduleDocument(value, in: zone)
        case .lost(let value), .back(let value): service = value.executable
        case .notServing(let value, let text): (service, reason) = (value.executable, text)
        }
    }
}

/// Prints news, from whichever task they come.
struct WatchReporter: Sendable {
    let context: CommandContext
    let venues: WatchedVenues
    let isJSON: Bool

    func report(_ news: [WatchNews]) async {
        let now = context.wallClock.now
        let showsOffset = await venues.showsOffset
        for item in news {
            let lines = item.lines(now: now, context.measure() ?? context.style, showsOffset: showsOffset)
            context.output.line(
                isJSON ? JSONText.line(WatchDocument(item, now: now)) : lines.joined(separator: "\n"))
        }
    }

    func report(_ content: WatchNews.Content) async {
        await report([WatchNews(content: content, zone: await venues.mainZone)])
    }
}
