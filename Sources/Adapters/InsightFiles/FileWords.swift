internal import EnergyModel

/// Names of classes and kinds in files. Files of people's own programs depend on them: they are never changed.
enum FileWords {
    static func snake(_ name: String) -> String {
        name.reduce(into: "") { text, letter in
            if letter.isUppercase { text.append("_") }
            text += letter.lowercased()
        }
    }

    static let cleanliness: [(class: Cleanliness, name: String)] = [
        (.cleaner, "cleaner"), (.lessClean, "less clean"), (.avoid, "avoid"), (.unknown, "unknown cleanliness"),
    ]
    static let peaks: [(class: TariffPeak, name: String)] = [
        (.superOffPeak, "super off-peak"), (.offPeak, "off-peak"), (.partialPeak, "partial peak"),
        (.onPeak, "on-peak"), (.criticalPeak, "critical peak"), (.unknown, "unknown tariff"),
    ]
    static let bands: [(class: RatingBand, name: String)] = [
        (.good, "rated good"), (.fair, "rated fair"), (.avoid, "rated avoid"), (.unknown, "unrated"),
    ]
}
