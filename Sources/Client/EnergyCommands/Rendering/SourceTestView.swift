internal import EnergyModel
internal import EnergyWire

/// What a source answered, in a sentence or two.
struct SourceTestView {
    let now: Timestamp
    /// Columns; `nil` is as many as there are characters.
    let width: Int?

    func lines(_ test: SourceTest) -> [String] {
        let status = test.source.status
        var sentences = [newest(test)]
        if !test.isAsked { sentences.append("It was not asked now: that was a moment ago, or its values are pushed.") }
        if let until = test.knownUntil {
            sentences.append("It knows \(Quantities.length(milliseconds: until.milliseconds(since: now))) ahead.")
        }
        if let error = status.lastError { sentences.append(TerminalText.safe(error).asSentence) }
        if let remedy = Self.remedy(test.failure) { sentences.append(remedy) }
        let name = TerminalText.safe("\(test.source.region), \(status.name)")
        return TerminalText.wrap("\(name): \(sentences.joined(separator: " "))", to: width)
    }

    private func newest(_ test: SourceTest) -> String {
        guard let newest = test.newest else { return "No value of the last 31 days." }
        let status = test.source.status
        let value =
            status.kind == .price
            ? "\(Quantities.price(Price(microsPerKilowattHour: Int64(newest.value.rounded())))) "
                + TerminalText.safe(status.currency ?? "") + "/kWh"
            : "\(Quantities.carbonIntensity(newest.value)) g/kWh"
        let age = now.milliseconds(since: newest.interval.end)
        return age <= 0 ? "\(value) now." : "\(value), from \(Quantities.length(milliseconds: age)) ago."
    }

    /// What a person can do.
    private static func remedy(_ failure: EnergyError.Code?) -> String? {
        switch failure {
        case .denied?: "Put the right key into the settings of guidance-publisher, and start that again."
        case .notFound?, .outOfRange?: "Look at the region, zone or product in the settings of guidance-publisher."
        case .rateLimited?: "Test it later, and let no other program use the same key."
        case .unavailable?: "It is asked again by itself. If that lasts, look whether this machine reaches it."
        case nil: nil
        default: "Look at its entry in the settings of guidance-publisher, and for a newer version of that."
        }
    }
}
