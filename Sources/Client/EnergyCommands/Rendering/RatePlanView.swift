internal import EnergyModel
internal import Foundation

/// A contract as a table of months by hours, a letter for each rate, and what the letters mean.
struct RatePlanView {
    let plan: RatePlan
    let style: Style

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    /// More than one rate within the hour, or on the days of the month.
    private static let mixed: Character = "*"

    /// What makes two zones one to whoever pays.
    private struct Rate: Hashable {
        let price: Price
        let tiers: [RateTier]
        let peak: TariffPeak
        let isPeakDerived: Bool
    }

    func lines() -> [String] {
        var rates: [Rate] = []
        let (working, free) = (grid(0...4, &rates), grid(5...6, &rates))
        var result = TerminalText.wrap(title, to: style.width).map { style.paint($0, .bold) }
        if !plan.zones.isEmpty {
            if working == free {
                result += table("every day", working)
            } else {
                result += table("Monday to Friday", working) + table("Saturday and Sunday", free)
            }
            result += legend(rates)
            if (working + free).contains(where: { $0.contains(Self.mixed) }) {
                result.append("\(Self.mixed)  differs within the hour, or within the month")
            }
        }
        return result + terms.flatMap { TerminalText.wrap($0, to: style.width) }.map { style.paint($0, .dim) }
    }

    private var title: String {
        "\(TerminalText.safe(plan.name)) (\(TerminalText.safe(plan.id)))\(style.dot)\(plan.currency) per kWh\(style.dot)"
            + "times in \(plan.timeZone.identifier)"
    }

    /// A row of 24 letters for each month; `-` where there is no price.
    private func grid(_ weekdays: ClosedRange<Int>, _ rates: inout [Rate]) -> [String] {
        plan.monthlyHours(on: weekdays) { zone in zone.map { letter($0, &rates) } ?? "-" }
            .map { hours in String(hours.map { $0.count == 1 ? $0.first ?? "-" : Self.mixed }) }
    }

    private func letter(_ zone: RateZone, _ rates: inout [Rate]) -> Character {
        let rate = Rate(price: zone.price, tiers: zone.tiers, peak: zone.peak, isPeakDerived: zone.isPeakDerived)
        let index = rates.firstIndex(of: rate) ?? rates.count
        if index == rates.count { rates.append(rate) }
        return index < Self.letters.count ? Self.letters[index] : "?"
    }

    private func table(_ heading: String, _ grid: [String]) -> [String] {
        // Groups of six hours, so that an hour is found by eye; close together where the terminal is narrow.
        let gap = (style.width ?? .max) < 55 ? "" : " "
        func spaced(_ text: String) -> String {
            let letters = Array(text)
            return stride(from: 0, to: letters.count, by: 6).map { start in
                letters[start..<min(start + 6, letters.count)].map(String.init).joined(separator: gap)
            }
            .joined(separator: "  ")
        }
        let groupWidth = 6 + 5 * gap.count + 2
        let clock = ["00", "06", "12", "18"].map { $0.padding(toLength: groupWidth, withPad: " ", startingAt: 0) }
            .joined()
        return ["", heading, style.paint("     " + clock.trimmingCharacters(in: .whitespaces), .dim)]
            + zip(Self.months, grid).map { "\($0)  \(spaced($1))" }
    }

    private func legend(_ rates: [Rate]) -> [String] {
        var table = Table([.init(""), .init("price", .right), .init("peak"), .init("", shrinks: true)])
        for (rate, letter) in zip(rates, Self.letters) {
            let price = plan.charges.applied(to: rate.price).map(Quantities.price) ?? "?"
            let tiers = rate.tiers.map { tier in
                "above \(Quantities.kilowattHours(tier.above)) kWh "
                    + (plan.charges.applied(to: tier.price).map(Quantities.price) ?? "?")
            }
            let peak = Words.spaced(rate.peak.rawValue) + (rate.isPeakDerived ? " (by its price)" : "")
            table.add([
                .init("\(letter)"), .init(price), .init(rate.peak == .unknown ? "" : peak),
                .init(tiers.joined(separator: ", ")),
            ])
        }
        return [""] + table.lines(style)
    }

    private var terms: [String] {
        var result = [""]
        if plan.charges != .none {
            let (fixed, tax) = (plan.charges.perKilowattHour, plan.charges.taxPartsPerMillion)
            result.append(
                "Prices include charges of \(Quantities.price(fixed)) and \(Quantities.exactPercent(partsPerMillion: tax)) tax."
            )
        }
        if let source = plan.priceSource {
            result.append("To them the price of \(TerminalText.safe(source)) is added, with the same charges.")
        }
        if !plan.holidays.isEmpty {
            result.append("Holidays, priced as Sundays: \(plan.holidays.map(\.rule.text).joined(separator: ", ")).")
        }
        if plan.zones.contains(where: { !$0.tiers.isEmpty }) {
            let expected = plan.monthlyEnergy.map { "\(Quantities.kilowattHours($0)) kWh are expected in a month" }
            result.append(
                "Tiers count the energy since day \(plan.billingDay) of the month; "
                    + (expected ?? "how much is drawn is not known, so the first one counts") + ".")
        }
        if !plan.exportZones.isEmpty {
            let prices = Set(plan.exportZones.map(\.price)).sorted().map(Quantities.price)
            result.append("Energy that is fed in is paid \(prices.joined(separator: ", ")).")
        }
        if !plan.datedRates.isEmpty {
            result.append("Dated rates besides: \(plan.datedRates.count).")
        }
        return result.count > 1 ? result : []
    }
}
