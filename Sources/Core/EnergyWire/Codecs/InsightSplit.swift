internal import EnergyModel
internal import EnergyProto

/// What energy is split by: each of its values has a field of its own in the message.
protocol SplitPart: Hashable {
    associatedtype Proto: ProtoStruct

    typealias Message = UnsafeMutablePointer<Energy__V1__InsightAmount>

    /// Puts the amount into the part's field.
    func put(_ message: Message, into proto: inout Proto)
    /// All fields, with their names.
    static func fields(of proto: Proto) -> [(part: Self, name: StaticString, message: Message?)]
}

/// Amounts by part. One without energy and run time is absent, here and on the wire.
struct InsightSplit<Part: SplitPart>: ProtoCoded {
    let amounts: [Part: InsightAmount]

    init(amounts: [Part: InsightAmount]) { self.amounts = amounts }

    func write(to proto: inout Part.Proto, _ arena: inout Arena) {
        for (part, amount) in amounts where amount != .zero { part.put(arena.message(amount), into: &proto) }
    }

    init(reading proto: Part.Proto) throws(FieldError) {
        var amounts: [Part: InsightAmount] = [:]
        for (part, name, message) in Part.fields(of: proto) {
            guard let amount: InsightAmount = try message.ifPresent(name), amount != .zero else { continue }
            amounts[part] = amount
        }
        self.amounts = amounts
    }
}

extension Cleanliness: SplitPart {
    func put(_ message: Message, into proto: inout Energy__V1__CleanlinessSplit) {
        switch self {
        case .cleaner: proto.cleaner = message
        case .lessClean: proto.less_clean = message
        case .avoid: proto.avoid = message
        case .unknown: proto.unknown = message
        }
    }

    static func fields(
        of proto: Energy__V1__CleanlinessSplit
    ) -> [(part: Cleanliness, name: StaticString, message: Message?)] {
        [
            (.cleaner, "cleaner", proto.cleaner), (.lessClean, "less_clean", proto.less_clean),
            (.avoid, "avoid", proto.avoid), (.unknown, "unknown", proto.unknown),
        ]
    }
}

extension TariffPeak: SplitPart {
    func put(_ message: Message, into proto: inout Energy__V1__TariffSplit) {
        switch self {
        case .superOffPeak: proto.super_off_peak = message
        case .offPeak: proto.off_peak = message
        case .partialPeak: proto.partial_peak = message
        case .onPeak: proto.on_peak = message
        case .criticalPeak: proto.critical_peak = message
        case .unknown: proto.unknown = message
        }
    }

    static func fields(
        of proto: Energy__V1__TariffSplit
    ) -> [(part: TariffPeak, name: StaticString, message: Message?)] {
        [
            (.superOffPeak, "super_off_peak", proto.super_off_peak), (.offPeak, "off_peak", proto.off_peak),
            (.partialPeak, "partial_peak", proto.partial_peak), (.onPeak, "on_peak", proto.on_peak),
            (.criticalPeak, "critical_peak", proto.critical_peak), (.unknown, "unknown", proto.unknown),
        ]
    }
}

extension RatingBand: SplitPart {
    func put(_ message: Message, into proto: inout Energy__V1__BandSplit) {
        switch self {
        case .good: proto.good = message
        case .fair: proto.fair = message
        case .avoid: proto.avoid = message
        case .unknown: proto.unknown = message
        }
    }

    static func fields(
        of proto: Energy__V1__BandSplit
    ) -> [(part: RatingBand, name: StaticString, message: Message?)] {
        [
            (.good, "good", proto.good), (.fair, "fair", proto.fair), (.avoid, "avoid", proto.avoid),
            (.unknown, "unknown", proto.unknown),
        ]
    }
}
