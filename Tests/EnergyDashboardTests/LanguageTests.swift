import EnergyModel
import Testing

@testable import EnergyDashboard

struct LanguageTests {
    @Test(arguments: Language.allCases)
    func `a language has a text for every word, with the same places to fill in`(language: Language) throws {
        #expect(Set(language.texts.keys) == Set(Word.allCases))
        for word in Word.allCases {
            let text = try #require(language.texts[word])
            #expect(!text.isEmpty)
            for place in ["%1", "%2", "%3", "%4", "%5", "%6", "%7", "%8"] {
                let english = try #require(English.texts[word])
                #expect(text.contains(place) == english.contains(place), "\(language) \(word) \(place)")
            }
        }
    }

    @Test(arguments: [
        ("DE", "DE – Germany", "DE – Deutschland"), ("SE3", "SE3 – Sweden, Stockholm", "SE3 – Schweden, Stockholm"),
        ("GB", "GB – Great Britain", "GB – Großbritannien"), ("home", "home", "home"), ("XX", "XX", "XX"),
    ])
    func `a region has the name that people know`(region: String, english: String, german: String) {
        #expect(Language.english.region(region) == english)
        #expect(Language.german.region(region) == german)
    }

    @Test(arguments: [
        ("DE", "Europe/Berlin", "EUR"), ("DK1", "Europe/Copenhagen", "DKK"), ("IT-North", "Europe/Rome", "EUR"),
        ("CISO", "America/Los_Angeles", "USD"), ("GB", "Europe/London", "GBP"),
    ])
    func `a region tells the clock and the money of its country`(region: String, zone: String, currency: String) {
        #expect(RegionPlace(region).timeZone == zone && RegionPlace(region).currency == currency)
    }

    @Test(arguments: ["home", "HOME", "X"])
    func `a region of no country tells nothing`(region: String) {
        #expect(RegionPlace(region).timeZone == nil && RegionPlace(region).currency == nil)
    }

    @Test(arguments: Language.allCases)
    func `a language has a sentence for every reason`(language: Language) {
        #expect(Set(ScheduleReason.allCases.map(language.reason)).count >= ScheduleReason.allCases.count - 3)
    }

    @Test(arguments: [
        ("de-AT,de;q=0.9,en;q=0.8", Language.german), ("fr, en;q=0.5, de;q=0.4", .english), ("", .english),
        ("de;q=0.2,en", .english), ("*", .english), ("de;q=x", .german),
    ])
    func `a browser gets the language that it likes best`(header: String, language: Language) {
        #expect(Language.preferred(header) == language)
    }
}
