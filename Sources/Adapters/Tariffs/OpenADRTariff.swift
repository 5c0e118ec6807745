internal import EnergyModel
internal import Foundation

/// OpenADR 3 events with the payloads PRICE and EXPORT_PRICE, per kWh.
///
/// An interval with a time is a dated rate. An event that lasts `P9999Y` repeats: if its intervals make a day or a week
/// they are zones of the clock on the wall, and one endless interval is one price. Of several events for the same time the
/// one with the lowest priority number wins.
enum OpenADRTariff {
    static func read(_ root: DocumentNode, _ terms: TariffTerms) throws(EnergyError) -> TariffDraft {
        let document = try OpenADRDocument(root)
        if let code = document.currency, let wanted = terms.currency, code != wanted {
            throw EnergyError(.invalidInput, "the document's prices are in \(code), not in \(wanted)")
        }
        var draft = TariffDraft(terms, name: document.name, currency: document.currency ?? "USD", zones: [])
        if document.currency == nil, terms.currency == nil {
            draft.findings.append(
                RatePlanFinding(.warning, at: "payloadDescriptors", "no currency is named: taken as USD"))
        }
        for event in document.events {
            if event.period.length == .endless {
                try addZones(event, terms.timeZone, to: &draft)
            } else {
                try addDatedRates(event, to: &draft)
            }
        }
        guard draft.plan.datedRates.count <= RatePlan.datedRatesMax else {
            throw root.refusal("must have at most 1,000 intervals with prices", "\(draft.plan.datedRates.count)")
        }
        if draft.plan.zones.isEmpty, draft.plan.datedRates.isEmpty {
            throw root.refusal("must have an interval with a payload of the type PRICE or EXPORT_PRICE")
        }
        return draft
    }

    private static func addDatedRates(
        _ event: OpenADRDocument.Event, to draft: inout TariffDraft
    ) throws(EnergyError) {
        for span in event.intervals {
            let (price, export) = (try span.value("PRICE"), try span.value("EXPORT_PRICE"))
            if price == nil, export == nil {
                draft.findings.append(RatePlanFinding(.note, at: span.node.path, "has no price: left out"))
                continue
            }
            guard case .milliseconds(let length) = span.length else {
                throw span.node["intervalPeriod"]["duration"].refusal("must end, if the event does")
            }
            draft.plan.datedRates.append(
                DatedRate(
                    interval: Interval(start: span.start, milliseconds: length),
                    change: try price.map { (node) throws(EnergyError) in .price(try node.price()) },
                    exportPrice: try export.map { (node) throws(EnergyError) in try node.price() }))
        }
    }

    private static func addZones(
        _ event: OpenADRDocument.Event, _ timeZone: TimeZone, to draft: inout TariffDraft
    ) throws(EnergyError) {
        let lengths = event.intervals.map(\.length)
        let total = lengths.reduce(Int64(0)) { sum, length in
            if case .milliseconds(let milliseconds) = length { sum + milliseconds } else { sum }
        }
        let isEndless = lengths == [.endless]
        guard isEndless || !lengths.contains(.endless) && [1, 7].map({ $0 * .millisecondsPerDay }).contains(total)
        else {
            throw event.node["intervals"].refusal(
                "must make a day or a week, or be one, to repeat for P9999Y", "\(lengths.count) of \(total / 1000) s")
        }
        for span in event.intervals {
            let zones: [RateZone]
            if case .milliseconds(let length) = span.length {
                let offset = timeZone.offsetMilliseconds(at: span.start)
                zones = try self.zones(
                    span, local: span.start.advanced(byMilliseconds: offset), length,
                    weekly: total > .millisecondsPerDay)
            } else {
                zones = [RateZone(price: Price(microsPerKilowattHour: 0), peak: .unknown)]
            }
            let (price, export) = (try span.value("PRICE"), try span.value("EXPORT_PRICE"))
            if let price = try price.map({ (node) throws(EnergyError) in try node.price() }) {
                draft.plan.zones += zones.map { $0.priced(price) }
            }
            if let export = try export.map({ (node) throws(EnergyError) in try node.price() }) {
                draft.plan.exportZones += zones.map { $0.priced(export) }
            }
        }
    }

    /// The days that an interval touches, one zone each.
    ///
    /// - Parameter local: its start on the clock on the wall, as if that were UTC.
    private static func zones(
        _ span: OpenADRDocument.Span, local: Timestamp, _ length: Int64, weekly: Bool
    ) throws(EnergyError) -> [RateZone] {
        let end = local.advanced(byMilliseconds: length)
        guard local.unixMilliseconds % .millisecondsPerMinute == 0, length % .millisecondsPerMinute == 0 else {
            throw span.node["intervalPeriod"].refusal("must begin and end on a minute, to repeat")
        }
        var (result, start): ([RateZone], Timestamp) = ([], local)
        while start < end {
            let day = LocalTime(start, offsetMilliseconds: 0)
            let midnight = start.floored(toMilliseconds: .millisecondsPerDay)
            let stop = min(end, midnight.advanced(byMilliseconds: .millisecondsPerDay))
            result.append(
                RateZone(
                    price: Price(microsPerKilowattHour: 0), peak: .unknown,
                    weekdays: weekly ? 1 << UInt32(day.weekday) : 0,
                    startMinute: day.minuteOfDay,
                    endMinute: Int(stop.milliseconds(since: midnight) / .millisecondsPerMinute)))
            start = stop
        }
        return result
    }
}

extension OpenADRTariff {
    /// The first Monday of 2024, on the clock on the wall, begins what repeats.
    private static let monday = Timestamp(unixMilliseconds: 1_704_067_200_000)

    static func write(_ plan: RatePlan) throws(EnergyError) -> DocumentValue {
        var refusals = PlanRefusals(.openadr)
        if !plan.holidays.isEmpty { refusals.add("holidays", "empty", "\(plan.holidays.count)") }
        if plan.charges != .none {
            refusals.add("charges", "none", "\(plan.charges.taxPartsPerMillion) ppm tax and more")
        }
        if let source = plan.priceSource { refusals.add("price_source", "absent", source) }
        for (name, zones) in [("zones", plan.zones), ("export_zones", plan.exportZones)] {
            refusals.addTiers(zones, name: name)
            for (index, zone) in zones.enumerated() where zone.wholeMonths != 0 {
                refusals.add("\(name)[\(index)]", "all year", zone.season?.description ?? "\(zone.months) as months")
            }
        }
        for (index, rate) in plan.datedRates.enumerated() where rate.change == nil && rate.exportPrice == nil {
            refusals.add("dated_rates[\(index)].price_micros_per_kwh", "there", "absent")
        }
        for (index, rate) in plan.datedRates.enumerated() {
            if case .multiplier(let permille)? = rate.change {
                refusals.add("dated_rates[\(index)].multiplier_permille", "a price", "\(permille)")
            }
        }
        try refusals.check()
        var events = zones(plan, plan.zones, "PRICE") + zones(plan, plan.exportZones, "EXPORT_PRICE")
        if !plan.datedRates.isEmpty { events.append(event(plan, nil, plan.datedRates.enumerated().map(interval))) }
        return .map(["program": .map(["programName": .text(plan.name)]), "events": .list(events)])
    }

    private static func zones(_ plan: RatePlan, _ zones: [RateZone], _ type: String) -> [DocumentValue] {
        guard !zones.isEmpty, let day = Season.Day(month: 7, day: 1) else { return [] }
        let offset = plan.timeZone.offsetMilliseconds(at: monday)
        var start = monday.advanced(byMilliseconds: -offset)
        var intervals: [DocumentValue] = []
        for weekday in 0..<7 {
            for part in RatePlan.parts(of: zones, on: day, weekday: weekday) {
                let length = Int64(part.minutes.count) * .millisecondsPerMinute
                var members: [String: DocumentValue] = [
                    "id": .number(Double(intervals.count)),
                    "intervalPeriod": period(start, OpenADRPeriod.text(milliseconds: length)), "payloads": .list([]),
                ]
                if let zone = part.zone { members["payloads"] = .list([payload(type, zones[zone].price)]) }
                intervals.append(.map(members))
                start = start.advanced(byMilliseconds: length)
            }
        }
        return [event(plan, period(monday.advanced(byMilliseconds: -offset), "P9999Y"), intervals)]
    }

    private static func interval(_ index: Int, _ rate: DatedRate) -> DocumentValue {
        var payloads: [DocumentValue] = []
        if case .price(let price)? = rate.change { payloads.append(payload("PRICE", price)) }
        if let price = rate.exportPrice { payloads.append(payload("EXPORT_PRICE", price)) }
        return .map([
            "id": .number(Double(index)), "payloads": .list(payloads),
            "intervalPeriod": period(
                rate.interval.start, OpenADRPeriod.text(milliseconds: rate.interval.milliseconds)),
        ])
    }

    private static func payload(_ type: String, _ price: Price) -> DocumentValue {
        .map(["type": .text(type), "values": .list([price.document])])
    }

    private static func period(_ start: Timestamp, _ duration: String) -> DocumentValue {
        .map(["start": .text("\(start)"), "duration": .text(duration)])
    }

    private static func event(
        _ plan: RatePlan, _ period: DocumentValue?, _ intervals: [DocumentValue]
    ) -> DocumentValue {
        var members: [String: DocumentValue] = [
            "objectType": .text("EVENT"), "eventName": .text(plan.name), "intervals": .list(intervals),
            "payloadDescriptors": .list(
                ["PRICE", "EXPORT_PRICE"].map { type in
                    .map([
                        "objectType": .text("EVENT_PAYLOAD_DESCRIPTOR"), "payloadType": .text(type),
                        "units": .text("KWH"), "currency": .text(plan.currency),
                    ])
                }),
        ]
        members["intervalPeriod"] = period
        return .map(members)
    }
}

extension RateZone {
    fileprivate func priced(_ price: Price) -> RateZone {
        var zone = self
        zone.price = price
        return zone
    }
}
