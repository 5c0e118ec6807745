internal import EnergyModel
internal import Foundation
internal import Synchronization

/// Dates in the order that a country's people write them, from the parts that are wanted. Formatters are costly to make,
/// so each is kept.
final class DateTexts: Sendable {
    static let shared = DateTexts()
    private static let formattersMax = 200

    private struct Key: Hashable {
        let parts: String
        let locale: String
        let zone: String
    }
    private let formatters = Mutex<[Key: DateFormatter]>([:])

    /// - Parameter parts: Unicode's letters, for example `EEE d MMM`; their order is the locale's.
    func text(_ instant: Timestamp, _ parts: String, _ locale: Locale, _ zone: TimeZone) -> String {
        let key = Key(parts: parts, locale: locale.identifier, zone: zone.identifier)
        return formatters.withLock { formatters in
            if let formatter = formatters[key] { return formatter.string(from: instant.date) }
            let formatter = DateFormatter()
            formatter.locale = locale
            formatter.timeZone = zone
            formatter.setLocalizedDateFormatFromTemplate(parts)
            if formatters.count >= Self.formattersMax { formatters.removeAll() }
            formatters[key] = formatter
            return formatter.string(from: instant.date)
        }
    }
}
