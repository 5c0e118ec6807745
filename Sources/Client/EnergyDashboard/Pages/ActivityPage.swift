internal import EnergyModel
internal import Foundation

/// What happened, newest first, in sentences.
struct ActivityPage {
    let context: PageContext
    let question: ActivityQuestion
    /// Newest first.
    let activities: [Activity]
    /// There may be more before these.
    let hasOlder: Bool
    let names: [String: String]

    private var language: Language { context.language }
    private var formats: Formats { context.formats }

    func html() -> HTML {
        .element("div", [.id("activity")]) {
            HTML.element("h1") { language(.pageActivity) }
            choices
            if activities.isEmpty { HTML.element("p", [.class("empty")]) { language(.noActivity) } }
            HTML.element("div", [.role("log"), .label(language(.pageActivity))]) { days }
            if hasOlder {
                HTML.element("p", [.class("actions")]) {
                    HTML.element("a", [.class("button"), .href(olderAddress), .id("older")]) { language(.older) }
                }
            }
        }
    }

    private var olderAddress: String {
        var query = [("before", "\(question.end.advanced(byMilliseconds: -question.milliseconds).unixMilliseconds)")]
        if let device = question.deviceID { query.append(("device", device)) }
        if let kind = question.kind { query.append(("kind", kind.rawValue)) }
        return context.address("/activity", query)
    }

    private var choices: HTML {
        let kinds: [(String, String)] = [
            ("", language(.kindAll)), ("session", language(.kindSession)), ("charging", language(.kindCharging)),
            ("waiting", language(.kindWaiting)), ("plug", language(.kindPlug)),
        ]
        return .element("form", [.class("choices"), Attribute("method", "get"), Attribute("action", "/activity")]) {
            for (name, value) in context.venues.count > 1 ? [("venue", context.venue.id.uuidString.lowercased())] : [] {
                Form.hidden(name, value)
            }
            Form.select(
                "device", language(.device),
                [("", language(.allDevices))] + names.sorted { $0.value < $1.value }.map { ($0.key, $0.value) },
                chosen: question.deviceID ?? "")
            Form.select("kind", language(.kind), kinds, chosen: question.kind?.rawValue ?? "")
            HTML.element("button", [.id("activity-apply")]) { language(.apply) }
        }
    }

    @HTMLBuilder private var days: HTML {
        for day in grouped {
            HTML.element("section", [.id("day-\(day.name)"), Attribute("aria-labelledby", "day-\(day.name)-title")]) {
                HTML.element("h2", [.id("day-\(day.name)-title")]) { day.title }
                HTML.element("ol", [.class("events")]) {
                    for activity in day.activities { entry(activity) }
                }
            }
        }
    }

    private var grouped: [(name: String, title: String, activities: [Activity])] {
        activities.reduce(into: []) { days, activity in
            let name = formats.isoDate(activity.time)
            if days.last?.name == name {
                days[days.count - 1].activities.append(activity)
            } else {
                days.append((name, formats.longDate(activity.time), [activity]))
            }
        }
    }

    private func entry(_ activity: Activity) -> HTML {
        .element("li", [.class("event kind-\(activity.kind.rawValue)"), .id("activity-\(activity.id.uuidString)")]) {
            HTML.element("time", [Attribute("datetime", activity.time.description)]) { formats.clock(activity.time) }
            HTML.element("div") {
                HTML.element("p", [.class("event-device")]) { names[activity.device.id] ?? activity.device.name }
                HTML.element("p") { formats.teller.text(activity) + "." }
            }
        }
    }
}

/// Which part of what happened is shown.
struct ActivityQuestion: Hashable, Sendable {
    /// Shown on one page.
    let milliseconds: Int64 = 7 * .millisecondsPerDay
    let end: Timestamp
    let deviceID: String?
    let kind: Activity.Kind?

    init(now: Timestamp, _ value: (String) -> String?) {
        // A device's clock may be ahead.
        let latest = now.advanced(byMilliseconds: .millisecondsPerHour)
        let said = value("before").flatMap { Int64($0) }.map(Timestamp.init(unixMilliseconds:))
        let earliest = CalendarPeriods.supported.lowerBound.advanced(byMilliseconds: 7 * .millisecondsPerDay)
        end = said.map { min(max($0, earliest), latest) } ?? latest
        deviceID = value("device").flatMap { $0.isEmpty ? nil : $0 }
        kind = value("kind").flatMap(Activity.Kind.init(rawValue:))
    }

    func query(_ venue: Venue) -> ActivityQuery {
        ActivityQuery(
            venueID: venue.id, deviceID: deviceID, kinds: kind.map { [$0] } ?? [],
            range: Interval(start: end.advanced(byMilliseconds: -milliseconds), milliseconds: milliseconds))
    }
}

extension Pages {
    /// So many are shown of a week; a busy home has more.
    static let activitiesMax = 400

    func activity(_ request: PageRequest) async -> Reply {
        await page(.activity, request) { (context) async throws(EnergyError) in
            let question = ActivityQuestion(now: context.now) { request[$0] }
            let found = try await reader.activities(question.query(context.venue))
            return ActivityPage(
                context: context, question: question, activities: found.suffix(Self.activitiesMax).reversed(),
                hasOlder: !found.isEmpty, names: await names(context)
            ).html()
        }
    }
}
