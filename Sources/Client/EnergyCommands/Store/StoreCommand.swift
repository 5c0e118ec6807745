internal import ArgumentParser

struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Move what services store into another kind of store.",
        discussion: """
            EXAMPLE
              energyctl store migrate --from sqlite --to postgresql --state /var/lib/gridtide \\
                --connection 'postgresql://gridtide@db1/gridtide?passfile=/etc/gridtide/pgpass'
            """,
        subcommands: [StoreMigrate.self])
}
