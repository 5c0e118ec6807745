internal import EnergyModel

/// What EIA-930 calls a source of electricity, and what a kWh of it emits.
///
/// | fuel | direct g/kWh | lifecycle g/kWh |
/// | --- | ---: | ---: |
/// | coal | 760 | 820 |
/// | gas | 370 | 490 |
/// | oil | 406 | 650 |
/// | nuclear | 0 | 12 |
/// | hydro | 0 | 24 |
/// | solar | 0 | 45 |
/// | wind | 0 | 11 |
/// | geothermal | 0 | 38 |
/// | other, and codes that are new | 575 | 700 |
///
/// Energy that comes out of storage was counted when it was made: storage is left out.
///
/// - Source: direct, the factors of CarbonCast (Maji et al., BuildSys 2022), which reproduce its published intensity of
///   four balancing authorities within 0.02 g; lifecycle, Electricity Maps' defaults and, for geothermal, IPCC 2014
///   annex III.
enum EIAFuel: Hashable, CaseIterable {
    case coal, gas, oil, nuclear, hydro, solar, wind, geothermal, other, storage

    /// - Parameter code: of the facet `fueltype`. New ones came in 2024 and more may.
    init(code: String) {
        self =
            switch code {
            case "COL": .coal
            case "NG": .gas
            case "OIL": .oil
            case "NUC": .nuclear
            case "WAT": .hydro
            case "SUN", "SNB": .solar
            case "WND", "WNB": .wind
            case "GEO": .geothermal
            case "BAT", "PS", "OES", "UES": .storage
            default: .other
            }
    }

    private var direct: Double {
        switch self {
        case .coal: 760
        case .gas: 370
        case .oil: 406
        case .other: 575
        case .nuclear, .hydro, .solar, .wind, .geothermal, .storage: 0
        }
    }

    private var lifecycle: Double {
        switch self {
        case .coal: 820
        case .gas: 490
        case .oil: 650
        case .nuclear: 12
        case .hydro: 24
        case .solar: 45
        case .wind: 11
        case .geothermal: 38
        case .other: 700
        case .storage: 0
        }
    }

    /// gCO2eq/kWh of a generation mix.
    ///
    /// - Parameter megawattHours: what is below zero (a plant's own use) counts as nothing.
    /// - Returns: `nil` when nothing was generated.
    static func intensity(of megawattHours: [EIAFuel: Double], kind: SignalKind) -> Double? {
        var (emitted, generated) = (0.0, 0.0)
        for fuel in allCases where fuel != .storage {
            let energy = max(0, megawattHours[fuel] ?? 0)
            emitted += energy * (kind == .averageLifecycle ? fuel.lifecycle : fuel.direct)
            generated += energy
        }
        return generated > 0 ? emitted / generated : nil
    }
}

/// Whether EIA-930 labels an hour of a balancing authority by its end, as its rule is, or by its start.
///
/// - Source: singularity-energy/open-grid-emissions, `src/oge/eia930.py` and pull request 300; for CISO and PJM measured
///   by the sun's centre (signals.md 5.6).
enum EIALabels {
    /// Labels before this are starts: 2022-06-16, 2021-11-01, and no end is known.
    private static let startsUntil: [String: Int64] = [
        "CISO": 1_655_337_600_000, "TEPC": 1_635_724_800_000, "PJM": .max,
    ]

    static func interval(_ authority: String, label: Timestamp) -> Interval {
        let isStart = startsUntil[authority].map { label.unixMilliseconds < $0 } ?? false
        let start = isStart ? label : label.advanced(byMilliseconds: -.millisecondsPerHour)
        return Interval(start: start, milliseconds: .millisecondsPerHour)
    }
}
