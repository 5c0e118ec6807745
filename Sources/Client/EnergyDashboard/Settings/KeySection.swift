/// Who may connect, in the settings. Keys are files beside the services and never travel, so that the command line makes them.
struct KeySection {
    let context: PageContext

    private var language: Language { context.language }

    @HTMLBuilder func html() -> HTML {
        HTML.element("p") { language(.keysHow) }
        Self.list(
            [
                (.keysList, "energyctl keys list"),
                (.keysMake, "energyctl keys client wall-tablet --allow guidance,insights,schedules --qr"),
                (.keysShow, "energyctl keys qr wall-tablet"), (.keysRevoke, "energyctl keys revoke wall-tablet"),
            ], language)
        HTML.element("div", [.class("actions")]) {
            HTML.element("a", [.class("button"), .href(context.address("/settings/key"))]) { language(.keyPrepare) }
        }
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
