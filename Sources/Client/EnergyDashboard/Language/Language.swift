internal import EnergyModel
internal import Foundation

/// A language of the pages.
enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"

    /// In its own language.
    var name: String {
        switch self {
        case .english: "English"
        case .german: "Deutsch"
        }
    }

    /// How it is written where no country says more.
    var worldwide: String {
        switch self {
        case .english: "en_001"
        case .german: "de"
        }
    }

    /// Without a country, as people type it.
    func decimal(_ value: Double) -> String {
        value.formatted(
            .number.grouping(.never).precision(.fractionLength(0...6)).locale(Locale(identifier: worldwide)))
    }

    var texts: [Word: String] {
        switch self {
        case .english: English.texts
        case .german: German.texts
        }
    }

    var activityWords: any ActivityWords {
        switch self {
        case .english: EnglishActivityWords()
        case .german: GermanActivityWords()
        }
    }

    /// The text with what is filled in.
    func callAsFunction(_ word: Word, _ values: String...) -> String { filled(word, values) }

    func filled(_ word: Word, _ values: [String]) -> String {
        var text = texts[word] ?? English.texts[word] ?? word.rawValue
        for (index, value) in values.enumerated() { text = text.replacing("%\(index + 1)", with: value) }
        return text
    }

    /// What a browser asks for, by the order of its weights; English where it asks for nothing that is here.
    ///
    /// - Parameter header: `de-AT,de;q=0.9,en;q=0.8`
    /// - Source: RFC 9110, 12.5.4
    static func preferred(_ header: String) -> Language {
        let wishes = header.prefix(500).split(separator: ",").compactMap { part -> (Language, Double)? in
            let pieces = part.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let tag = pieces.first?.lowercased().prefix(2), let language = Language(rawValue: String(tag)) else {
                return nil
            }
            let weight = pieces.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return (language, weight)
        }
        // Of equal weights the first: `max` would take the last.
        return wishes.reduce(nil as (Language, Double)?) { best, wish in
            wish.1 > (best?.1 ?? 0) ? wish : best
        }?.0 ?? .english
    }
}
