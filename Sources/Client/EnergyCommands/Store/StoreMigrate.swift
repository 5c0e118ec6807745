internal import ArgumentParser
internal import EnergyModel
internal import EnergyStore
internal import Foundation
internal import Synchronization

struct StoreMigrate: EnergyCommand {
    enum Source: String, ExpressibleByArgument, CaseIterable { case sqlite }
    enum Target: String, ExpressibleByArgument, CaseIterable { case postgresql }

    static let connectionKey = "GRIDTIDE_STORE_POSTGRESQL"

    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Move what services store in SQLite files into PostgreSQL.",
        discussion: """
            To be run on the services' machine, by a user who may write their state directories, first while they run: \
            what there is by then is copied, which may take a while. Then stop them and run it again: the rest is \
            copied, every row is compared with where it came from, and the database may be used. A service does not \
            start on one that is half filled, nor on a file that was moved. What breaks off goes on with the next run. The \
            files keep what they held. A database takes the rows of one file of one host: another is refused, and so \
            is a file that was written to since it was moved.

            Services may be moved one at a time; the others find each other as before. Audit logs stay where they are. \
            Which events were received is known again for 30 days, as ever, as far as the log still holds them.

            EXAMPLES
              energyctl store migrate --state /var/lib/gridtide --connection postgresql://gridtide@db1/gridtide
              systemctl stop gridtide-event-ingestor
              energyctl store migrate --service event-ingestor --state /var/lib/gridtide \\
                --connection 'postgresql://gridtide@db1/gridtide?passfile=/etc/gridtide/pgpass'
            """)

    @Option(name: .long, help: "What is moved.") var from: Source = .sqlite
    @Option(name: .long, help: "Where to.") var to: Target = .postgresql
    @OptionGroup var place: StateOption
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The database, as the services will be told it by store.postgresql.",
            discussion: """
                A URI or libpq's keywords. A password is better in a file: ?passfile=PATH, PGPASSFILE or ~/.pgpass. \
                Default: $\(connectionKey).
                """, valueName: "postgresql://…"))
    var connection: String?
    @OptionGroup var services: ServicesOption
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        guard let migrator = context.tools.storeMigrator else {
            throw CommandFailure(.failure, "This energyctl cannot move stores.")
        }
        let connection = connection ?? ProcessInfo.processInfo.environment[Self.connectionKey] ?? ""
        guard !connection.isEmpty else {
            throw .usage("Say which database: --connection postgresql://USER@HOST/DATABASE, or \(Self.connectionKey).")
        }
        let services = services.service.isEmpty ? StoredService.allCases : services.service
        var moved: [MigrationReport] = []
        var failure: CommandFailure?
        for (index, service) in services.enumerated() {
            do throws(CommandFailure) {
                let report = try await migrate(service, migrator, connection, in: context)
                if let report { moved.append(report) }
            } catch {
                let others = services[(index + 1)...].filter { isThere($0, context.tools.backupMaker) }
                failure = Self.failure(error, of: service, before: others)
                break
            }
        }
        guard !moved.isEmpty || failure != nil else {
            throw .usage(
                "No service has stored anything in \(TerminalText.safe(place.state)). Name another with --state.")
        }
        // What was moved before something failed is moved.
        if options.json {
            context.answer(MigrationDocument(moved))
        } else if !moved.isEmpty {
            MigrationView(reports: moved).show(in: context)
        }
        if let failure { throw failure }
    }

    /// Says which are not moved, unless it is the last one alone.
    private static func failure(
        _ failure: CommandFailure, of service: StoredService, before others: [StoredService]
    ) -> CommandFailure {
        guard !others.isEmpty else { return failure }
        let names = others.map(\.rawValue).joined(separator: ", ")
        return CommandFailure(
            failure.exit, "\(failure.message.asSentence) Not finished: \(service.rawValue). Not begun: \(names).")
    }

    /// Whether a service has stored anything; whoever asks for one by its name means it, and where nobody can tell it may
    /// have.
    private func isThere(_ service: StoredService, _ maker: (any StoreBackupMaker)?) -> Bool {
        guard services.service.isEmpty, let found = try? maker?.services(in: place.state) else { return true }
        return found.contains(service)
    }

    /// - Returns: `nil` for a service that has stored nothing, unless it was asked for.
    private func migrate(
        _ service: StoredService, _ migrator: any StoreMigrator, _ connection: String, in context: CommandContext
    ) async throws(CommandFailure) -> MigrationReport? {
        let (output, style, shown) = (context.output, context.style, LastShown())
        defer { output.progress(nil) }
        do throws(EnergyError) {
            return try await migrator.migrate(
                service, state: place.state, connection: connection, now: context.wallClock.now
            ) { progress in
                let fraction = Double(progress.done) / Double(max(progress.total, 1))
                let line = style.progress(fraction, of: service.rawValue, progress.table)
                if shown.takes(line) { output.progress(line) }
            }
        } catch {
            if error.code == .notFound, services.service.isEmpty { return nil }
            throw CommandFailure(onFiles: error, of: service)
        }
    }
}

/// What was shown last: a terminal is slower than the pages come.
private final class LastShown: Sendable {
    private let text = Mutex("")

    func takes(_ new: String) -> Bool {
        text.withLock { text in
            defer { text = new }
            return text != new
        }
    }
}
