internal import EnergyModel
internal import EnergyProto

extension Holiday: ProtoCoded {
    func write(to proto: inout Energy__V1__Holiday, _ arena: inout Arena) {
        switch rule {
        case .date(let year, let day):
            proto.year = UInt32(clamping: year)
            (proto.month, proto.day) = (UInt32(clamping: day.month), UInt32(clamping: day.day))
        case .yearly(let day): (proto.month, proto.day) = (UInt32(clamping: day.month), UInt32(clamping: day.day))
        case .nthWeekday(let occurrence, let weekday, let month):
            proto.month = UInt32(clamping: month)
            proto.occurrence = Int32(clamping: occurrence)
            proto.weekday = UInt32(clamping: weekday)
        case .easter(let days): proto.easter_days = Int32(clamping: days)
        }
        proto.observance = observance.proto()
    }

    init(reading proto: Energy__V1__Holiday) throws(FieldError) {
        let rule: Rule
        if proto.month == 0 {
            rule = .easter(days: Int(proto.easter_days))
        } else if proto.occurrence != 0 {
            rule = .nthWeekday(
                occurrence: Int(proto.occurrence), weekday: Int(proto.weekday), month: Int(proto.month))
        } else {
            let day = try Season.Day(proto.month, proto.day, "day")
            rule = proto.year == 0 ? .yearly(day) : .date(year: Int(proto.year), day)
        }
        guard rule.isPossible else {
            throw FieldError("", "must be a day that some year has", value: rule.text)
        }
        self.init(rule, observance: try proto.observance.value("observance", unknown: .onTheDay))
    }
}
