internal import ArgumentParser
internal import EnergyModel
internal import Foundation

/// A time of the past, as most questions about it name it.
struct PastOptions: ParsableArguments {
    // A value that begins with '-' is a mistake to be told, not a missing value.
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("From then on: \(TimeExpression.help).", valueName: "time"),
        transform: timeExpression)
    var from: TimeExpression?
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Until then; now unless said.", valueName: "time"),
        transform: timeExpression)
    var to: TimeExpression?
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The last so many periods, this one included: \(TimeSpan.help).", valueName: "span"),
        transform: timeSpan)
    var last: TimeSpan?

    func validate() throws {
        if last != nil, from != nil || to != nil { throw ValidationError("Say --last, or --from and --to, not both.") }
        if to != nil, from == nil { throw ValidationError("--to needs --from.") }
    }

    /// - Parameters:
    ///   - span: when nothing is said.
    ///   - granularity: of the answer, if it has one.
    func range(
        or span: TimeSpan, now: Timestamp, in zone: TimeZone, _ granularity: Granularity = .yearly
    ) throws(CommandFailure) -> Interval {
        let range = try said(or: span, now: now, in: zone)
        let daysMax = Granularity.rangeDaysMax + granularity.windowDaysMax
        let (start, end) = (VenueTime(range.start, in: zone), VenueTime(range.end, in: zone))
        guard range.milliseconds <= daysMax * .millisecondsPerDay else {
            throw .usage(
                "\(start.date.long) \(start.clock) to \(end.date.long) \(end.clock) is more than one question may be "
                    + "about, 5 years: ask in parts.")
        }
        guard CalendarPeriods.supported.contains(range.start), CalendarPeriods.supported.contains(range.end) else {
            throw .usage("\(start.date.long) to \(end.date.long) does not lie between 1970 and 9998.")
        }
        return range
    }

    private func said(or span: TimeSpan, now: Timestamp, in zone: TimeZone) throws(CommandFailure) -> Interval {
        guard let from else { return InsightPeriods.range(last: last ?? span, now: now, in: zone) }
        let start = from.timestamp(now: now, in: zone, toward: .past)
        let end = to?.timestamp(now: now, in: zone, toward: .past) ?? now
        guard let range = Interval(start: start, end: end) else {
            throw .usage(
                "--from (\(start.iso8601(in: zone))) must be before \(to == nil ? "now" : "--to") "
                    + "(\(end.iso8601(in: zone))).")
        }
        return range
    }
}

/// Of commands whose rows have a file format of their own.
struct FileRowsOption: ParsableArguments {
    @Flag(name: .long, help: "Print comma-separated values, as the verb export writes them.") var csv = false
}

/// Which devices.
struct DeviceOptions: ParsableArguments {
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case vehicle, hvac

        var model: Device.Kind { self == .vehicle ? .electricVehicle : .hvac }
    }

    @Option(name: .long, help: ArgumentHelp("Only of this device.", valueName: "id"), completion: .devices)
    var device: String?
    @Option(name: .long, help: "Only of devices of this type.") var type: Kind?
}

/// What to add up, and how.
struct InsightOptions: ParsableArguments {
    enum Split: String, ExpressibleByArgument, CaseIterable { case cleanliness, tariff, rating }
    enum Part: String, ExpressibleByArgument, CaseIterable {
        case venue, type, device

        var grouping: InsightGrouping {
            switch self {
            case .venue: .venue
            case .type: .kind
            case .device: .device
            }
        }
    }

    @Option(name: .long, help: "The length of a period.") var granularity: Granularity = .daily
    @OptionGroup var past: PastOptions
    @OptionGroup var devices: DeviceOptions
    @Option(
        name: .long,
        help:
            "Split each period: how clean the grid was, how dear the contract, how the time was rated. May be repeated."
    )
    var by: [Split] = []
    @Option(name: .long, help: "The venue as a whole, or each type or device by itself.") var per: Part = .venue
    @Option(name: .long, help: "Energy from the grid, or to it.") var direction: FlowDirection = .imported
    @Flag(
        inversion: .prefixedNo,
        help: """
            Only the periods that the time touches. With --no-exact whole windows of the calendar, as EnergyKit answers: \
            days of quarters of an hour, weeks of hours, months of days, half-years of weeks, years of months.
            """)
    var exact = true

    func query(of venue: Venue, now: Timestamp) throws(CommandFailure) -> InsightQuery {
        let range = try past.range(
            or: InsightPeriods.defaultSpan(granularity), now: now, in: venue.timeZone, granularity)
        return InsightQuery(
            venueID: venue.id, deviceID: devices.device, deviceKind: devices.type?.model, grouping: per.grouping,
            range: exact ? range : CalendarPeriods(granularity, timeZone: venue.timeZone).window(of: range),
            granularity: granularity, direction: direction, byCleanliness: by.contains(.cleanliness),
            byTariff: by.contains(.tariff), byBand: by.contains(.rating), exactRange: exact)
    }
}

/// Which sessions.
struct SessionOptions: ParsableArguments {
    @OptionGroup var past: PastOptions
    @OptionGroup var devices: DeviceOptions

    func query(of venue: Venue, now: Timestamp) throws(CommandFailure) -> SessionQuery {
        SessionQuery(
            venueID: venue.id, deviceID: devices.device, deviceKind: devices.type?.model,
            range: try past.range(or: TimeSpan(14, .d), now: now, in: venue.timeZone))
    }
}
