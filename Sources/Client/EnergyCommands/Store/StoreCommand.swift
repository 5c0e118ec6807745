internal import ArgumentParser

struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Back up, restore and move what services store.",
        discussion: """
            EXAMPLES
              energyctl store backup --state /var/lib/gridtide --to /mnt/backup/gridtide
              energyctl store restore scheduler-1772366400000.sqlite --state /var/lib/gridtide
              energyctl store migrate --from sqlite --to postgresql --state /var/lib/gridtide \\
                --connection 'postgresql://gridtide@db1/gridtide?passfile=/etc/gridtide/pgpass'
            """,
        subcommands: [StoreBackUp.self, StoreRestore.self, StoreMigrate.self])
}
