internal import EnergyModel
internal import Foundation

/// What somebody typed of a time for which less is asked for.
struct EventInput: Hashable, Sendable {
    enum Scope: String, CaseIterable, Sendable { case venue, region, all }

    var kind = DemandResponseEvent.Kind.criticalPeak
    var scope = Scope.venue
    var day = ""
    var clock = ""
    var hours = ""
    var reason = ""
    /// Fields in which no choice of the form was sent.
    private var unknownChoices: [String] = []

    /// The next full hour.
    init(now: Timestamp, formats: Formats) {
        let next = now.nextHour
        (day, clock, hours) = (formats.isoDate(next), formats.isoClock(next), "2")
    }

    init(_ request: PageRequest) {
        if let kind = DemandResponseEvent.Kind(rawValue: request.field("kind")) {
            self.kind = kind
        } else {
            unknownChoices.append("kind")
        }
        if let scope = Scope(rawValue: request.field("scope")) {
            self.scope = scope
        } else {
            unknownChoices.append("scope")
        }
        day = FormText.line(request, "day")
        clock = FormText.line(request, "clock")
        hours = FormText.line(request, "hours")
        reason = FormText.line(request, "reason")
    }

    /// - Returns: the event to declare, or what is wrong with the input; never both.
    func draft(
        for venue: Venue, now: Timestamp, formats: Formats
    ) -> (event: DemandResponseEvent?, problems: FormProblems) {
        let language = formats.language
        var problems = FormProblems(uniqueKeysWithValues: unknownChoices.map { ($0, language(.mustBeChosen)) })
        if LocalInput.day(day, in: formats.timeZone) == nil { problems["day"] = language(.mustBeDate) }
        if LocalInput.minuteOfDay(clock) == nil { problems["clock"] = language(.mustBeClock) }
        let length = FormText.number(hours, in: 0.25...168)
        if length == nil {
            problems["hours"] = language(.mustBeNumber, language(.eventHours), language.decimal(0.25), "168")
        }
        if reason.utf16.count > DemandResponseEvent.reasonUnitsMax { problems["reason"] = language(.mustBeShorter) }
        guard problems.isEmpty, let length, let start = LocalInput.instant(day, clock, in: formats.timeZone) else {
            return (nil, problems)
        }
        let milliseconds = Int64((length * Double(Int64.millisecondsPerHour)).rounded())
        let end = start.advanced(byMilliseconds: milliseconds)
        guard end > now, let interval = Interval(start: start, end: end) else {
            return (nil, ["day": language(.mustBeAhead)])
        }
        let scope: DemandResponseEvent.Scope =
            switch scope {
            case .venue: .venue(venue.id)
            case .region: .region(venue.region)
            case .all: .all
            }
        return (DemandResponseEvent(id: UUID(), kind: kind, scope: scope, interval: interval, reason: reason), [:])
    }

    /// Which field is meant by the contract's.
    static let names = ["event.interval": "hours", "event.reason": "reason"]

    @HTMLBuilder func fields(_ venue: Venue, _ language: Language, _ problems: FormProblems) -> HTML {
        Form.select(
            "kind", language(.eventKind), DemandResponseEvent.Kind.allCases.map { ($0.rawValue, language($0.word)) },
            chosen: kind.rawValue, error: problems["kind"])
        Form.select(
            "scope", language(.eventScope),
            [
                (Scope.venue.rawValue, venue.name), (Scope.region.rawValue, language(.eventForRegion, venue.region)),
                (Scope.all.rawValue, language(.eventForAll)),
            ], chosen: scope.rawValue, error: problems["scope"])
        Form.input("day", language(.formDay), type: "date", value: day, error: problems["day"])
        Form.input("clock", language(.formClock), type: "time", value: clock, error: problems["clock"])
        Form.number("hours", language(.eventHours), value: hours, error: problems["hours"])
        Form.input(
            "reason", language(.eventReason), value: reason, hint: language(.eventReasonHint), error: problems["reason"]
        )
    }
}
