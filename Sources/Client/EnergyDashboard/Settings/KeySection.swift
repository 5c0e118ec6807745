/// Who may connect, in the settings. Keys are files beside the services and never travel, so that the command line makes them.
struct KeySection {
    let language: Language

    @HTMLBuilder func html() -> HTML {
        HTML.element("p") { language(.keysHow) }
        HTML.element("dl", [.class("commands")]) {
            for (word, command) in Self.commands {
                HTML.element("dt") { language(word) }
                HTML.element("dd") { HTML.element("code", [.class("code")]) { command } }
            }
        }
    }

    private static let commands: [(Word, String)] = [
        (.keysList, "energyctl keys list"),
        (.keysMake, "energyctl keys client wall-tablet --allow guidance,insights,schedules"),
        (.keysShow, "energyctl keys qr wall-tablet"),
        (.keysRevoke, "energyctl keys revoke wall-tablet"),
    ]
}
