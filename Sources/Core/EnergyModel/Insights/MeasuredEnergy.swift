extension InsightAmount {
    /// Of what nobody knows the kind: run time without any energy is that of heating and cooling, which report none.
    public var measuresEnergy: Bool { energy > .zero || runtimeMilliseconds == 0 }
}

extension InsightRecord {
    /// Whether the energy is known: heating and cooling report run time only, so 0 is not what they used. Where kinds are
    /// together, run time without any energy is theirs.
    public var measuresEnergy: Bool {
        switch deviceKind {
        case .hvac: false
        case .electricVehicle, .homeBattery, .appliance: true
        case nil: isMeasured || total.measuresEnergy
        }
    }

    /// Of a record whose kind is not said: it is about what measures its energy, so that 0 is 0. Nothing that is sent.
    public var isMeasured: Bool {
        get { axes.contains(.measured) }
        set { if newValue { axes.insert(.measured) } else { axes.remove(.measured) } }
    }

    /// ``worth``, without the zeros of what has no known energy.
    public var knownWorth: InsightWorth { measuresEnergy ? worth : .none }
}

extension SessionInsight {
    /// Whether the energy is known: heating and cooling report run time only.
    public var measuresEnergy: Bool { deviceKind != .hvac }

    /// ``worth``, without the zeros of what has no known energy.
    public var knownWorth: InsightWorth { measuresEnergy ? worth : .none }
}
