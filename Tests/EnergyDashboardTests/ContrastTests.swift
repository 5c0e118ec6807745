import Foundation
import Testing

@testable import EnergyDashboard

/// Shapes, and borders of what is typed into, are told from what is behind them: 3 to 1, in both themes.
///
/// - Source: WCAG 2.2, 1.4.11
struct ContrastTests {
    private static let shapes = [
        "good", "fair", "avoid", "unknown", "price", "carbon", "battery", "tariff-1", "tariff-2", "tariff-5",
    ]

    @Test(arguments: ["light", "dark"], shapes)
    func `a shape stands out from card and page`(theme: String, shape: String) throws {
        let colours = try colours(theme)
        let own = try #require(colours[shape])
        for ground in ["card", "page"] {
            let behind = try #require(colours[ground])
            let ratio = (max(own, behind) + 0.05) / (min(own, behind) + 0.05)
            #expect(ratio >= 3, "\(theme): \(shape) on \(ground) \(ratio)")
        }
    }

    /// Luminances by the names in the style sheet.
    private func colours(_ theme: String) throws -> [String: Double] {
        let sheet = String(decoding: PackageResources.dashboard_css, as: UTF8.self)
        let themes = sheet.split(separator: ":root {").dropFirst().map { $0.prefix { $0 != "}" } }
        let text = try #require(theme == "light" ? themes.first : themes.dropFirst().first)
        let found = text.matches(of: #/--([a-z0-9-]+): #([0-9a-f]{6});/#)
        return try Dictionary(
            found.map { (String($0.1), luminance(try #require(UInt32($0.2, radix: 16)))) }
        ) { first, _ in first }
    }

    private func luminance(_ colour: UInt32) -> Double {
        zip([16, 8, 0], [0.2126, 0.7152, 0.0722]).reduce(0) { sum, part in
            let value = Double(colour >> UInt32(part.0) & 0xff) / 255
            return sum + part.1 * (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
        }
    }
}
