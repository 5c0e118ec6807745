import EnergyModel
import EnergyWire

extension RandomValues {
    mutating func ratePlan() -> RatePlan {
        RatePlan(
            id: text(), name: text(), currency: currency(), timeZone: timeZone(),
            zones: list(0...200) { $0.rateZone() },
            holidays: list(0...20) { $0.holiday() }, exportZones: list(0...20) { $0.rateZone() },
            datedRates: list(0...50) { $0.datedRate() },
            charges: RateCharges(perKilowattHour: price(), taxPartsPerMillion: int64(0...1_000_000)),
            priceSource: maybe { $0.text() }, billingDay: int(1...28),
            monthlyEnergy: maybe { Energy(milliwattHours: $0.wide()) }, changed: timestamp(),
            removed: maybe { $0.timestamp() }.flatMap { $0.unixMilliseconds == 0 ? nil : $0 })
    }

    private mutating func rateZone() -> RateZone {
        RateZone(
            name: maybe { $0.text() } ?? "", price: price(),
            tiers: list(0...3) { RateTier(above: $0.energy(), price: $0.price()) }, peak: one(of: TariffPeak.allCases),
            isPeakDerived: bool(), weekdays: UInt32(int(0...127)), months: UInt32(int(0...4095)),
            season: maybe { Season(first: $0.day(), last: $0.day()) }, startMinute: int(0...1439),
            endMinute: int(1...1440))
    }

    private mutating func day() -> Season.Day { one(of: Season.Day.all) }

    private mutating func holiday() -> Holiday {
        let rule: Holiday.Rule =
            switch int(0...3) {
            // 2000 is a leap year: it has every day.
            case 0: .date(year: 2000, day())
            case 1: .yearly(day())
            case 2: .nthWeekday(occurrence: one(of: [-1, 1, 2, 3, 4, 5]), weekday: int(0...6), month: int(1...12))
            default: .easter(days: int(-100...100))
            }
        return Holiday(rule, observance: one(of: Holiday.Observance.allCases))
    }

    private mutating func datedRate() -> DatedRate {
        DatedRate(
            interval: interval(),
            change: maybe { $0.bool() ? .price($0.price()) : .multiplier(permille: $0.int64(0...100_000)) },
            exportPrice: maybe { $0.price() }, peak: one(of: TariffPeak.allCases))
    }

    mutating func demandResponseEvent() -> DemandResponseEvent {
        let scope: DemandResponseEvent.Scope =
            switch int(0...2) {
            case 0: .venue(uuid())
            case 1: .region(text())
            default: .all
            }
        return DemandResponseEvent(
            id: uuid(), kind: one(of: DemandResponseEvent.Kind.allCases), scope: scope, interval: interval(),
            reason: maybe { $0.text() } ?? "", price: maybe { $0.price() }, currency: maybe { $0.currency() },
            declared: timestamp(),
            cancelled: maybe { Timestamp(unixMilliseconds: $0.int64(1...253_402_300_799_999)) },
            source: maybe { $0.text() } ?? "")
    }
}
