/// Which program wrote a table of sessions.
public enum SessionFileFormat: String, CaseIterable, Sendable {
    /// ``SessionCSV``.
    case csv
    /// What evcc exports as CSV, in any of its languages.
    case evcc

    /// What a column is read for.
    enum Field: CaseIterable {
        case id, start, end, energy, runtime, direction, kind, device, charger, vehicle, firstPercent, lastPercent
    }

    /// The captions that a column may have, in small letters.
    ///
    /// - Source: evcc `core/session/session.go` and `i18n/`: captions are translated, columns are not in every version.
    func captions(of field: Field) -> [String] {
        switch (self, field) {
        case (.csv, .id): ["session"]
        case (.csv, .start): ["start"]
        case (.csv, .end): ["end"]
        case (.csv, .energy): ["energy (kwh)"]
        case (.csv, .runtime): ["run time (h)"]
        case (.csv, .direction): ["direction"]
        case (.csv, .kind): ["device type"]
        case (.csv, .device): ["device"]
        case (.csv, .firstPercent): ["state of charge at start (%)"]
        case (.csv, .lastPercent): ["state of charge at end (%)"]
        case (.csv, .charger), (.csv, .vehicle), (.evcc, .id), (.evcc, .direction), (.evcc, .kind), (.evcc, .device): []
        case (.evcc, .start): EvccCaptions.start
        case (.evcc, .end): EvccCaptions.end
        case (.evcc, .energy): EvccCaptions.energy
        case (.evcc, .runtime): EvccCaptions.runtime
        case (.evcc, .charger): EvccCaptions.charger
        case (.evcc, .vehicle): EvccCaptions.vehicle
        case (.evcc, .firstPercent): EvccCaptions.firstPercent
        case (.evcc, .lastPercent): EvccCaptions.lastPercent
        }
    }

    static let required: [Field] = [.start, .end, .energy]
}
