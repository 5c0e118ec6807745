internal import EnergyModel
internal import EnergyTransport
internal import Foundation
internal import KeyFiles

/// Who may connect, in the settings. Without the keys of the installation a page can only say which commands make them.
struct KeySection {
    let context: PageContext
    /// By their names; `nil` where this process has no keys.
    let clients: [String: AccessList.Client]?

    private var language: Language { context.language }

    @HTMLBuilder func html() -> HTML {
        if let clients {
            SettingCard.list(
                clients.sorted { $0.key < $1.key }.map(card), none: .keysNone,
                add: (.keyMake, context.address("/settings/key")), language)
            HTML.element("p", [.class("note")]) { language(.keysHere) }
            Self.list(
                [(.keysShow, "energyctl keys qr wall-tablet"), (.keysRevoke, "energyctl keys revoke wall-tablet")],
                language)
        } else {
            HTML.element("p") { language(.keysHow) }
            Self.list(
                [
                    (.keysInit, "energyctl keys init"),
                    (.keysMake, "energyctl keys client wall-tablet --allow guidance,insights,schedules --qr"),
                    (.keysRevoke, "energyctl keys revoke wall-tablet"),
                ], language)
            HTML.element("div", [.class("actions")]) {
                HTML.element("a", [.class("button"), .href(context.address("/settings/key"))]) { language(.keyPrepare) }
            }
        }
    }

    private func card(_ name: String, _ client: AccessList.Client) -> SettingCard {
        SettingCard(
            title: name, facts: context.facts(client.permissions, client.venues),
            badge: client.permissions.isSuperset(of: Permission.allCases) ? language(.keyEverything) : nil)
    }

    static func list(_ commands: [(word: Word, command: String)], _ language: Language) -> HTML {
        .element("dl", [.class("commands")]) {
            for (word, command) in commands {
                HTML.element("dt") { language(word) }
                HTML.element("dd") { HTML.element("code", [.class("code")]) { command } }
            }
        }
    }
}

extension PageContext {
    /// What a key may do, and at which homes.
    func facts(_ permissions: Set<Permission>, _ venues: Set<UUID>?) -> [String] {
        // In the order in which the command line lists them.
        let allowed = Permission.allCases.filter(permissions.contains).map { language($0.word) }
        let homes = venues.map { ids in
            ids.map { id in self.venues.first { $0.id == id }?.name ?? id.uuidString.lowercased() }.sorted()
        }
        return [
            language(.keyMay) + ": " + allowed.joined(separator: " · "),
            language(.keyOnly) + ": " + (homes?.joined(separator: " · ") ?? language(.keyEverywhere)),
        ]
    }
}
