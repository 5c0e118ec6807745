internal import EnergyModel

/// What contracts call a time, for example `Summer Mid-Peak`.
enum PeakLabel {
    /// - Returns: ``TariffPeak/unknown`` for a label that says nothing of peaks.
    static func peak(_ label: String) -> TariffPeak {
        let letters = String(label.lowercased().filter(\.isLetter))
        if letters.contains("critical") { return .criticalPeak }
        if letters.contains("superoff") { return .superOffPeak }
        if letters.contains("offpeak") || letters.hasSuffix("off") { return .offPeak }
        let middle = ["mid", "part", "shoulder", "intermediate"]
        if middle.contains(where: { letters.contains($0) }) { return .partialPeak }
        return letters.contains("peak") ? .onPeak : .unknown
    }

    /// A label that ``peak(_:)`` reads as the peak.
    static func words(_ peak: TariffPeak) -> String {
        switch peak {
        case .superOffPeak: "Super Off-Peak"
        case .offPeak: "Off-Peak"
        case .partialPeak: "Mid-Peak"
        case .onPeak: "On-Peak"
        case .criticalPeak: "Critical Peak"
        case .unknown: "All Hours"
        }
    }
}
