internal import ArgumentParser

struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "What each session used, cost and saved; to a file, and from one.",
        discussion: """
            EXAMPLES
              energyctl sessions
              energyctl sessions export --last 1y --output sessions.csv
              energyctl sessions import evcc.csv --format evcc --device car-1 --dry-run
            """,
        subcommands: [SessionsList.self, SessionsExport.self, SessionsImport.self],
        defaultSubcommand: SessionsList.self)
}
