internal import ArgumentParser
internal import EnergyModel
internal import EnergyStore

struct StoreBackUp: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy what services store in SQLite files, while they go on.",
        discussion: """
            To be run on the services' machine, as root or by a user who may write their state directories. Each \
            database is copied as it is at one moment, into a file of its own that only its owner may read, and the \
            copy is checked. Services go on meanwhile; audit logs and keys are not copied. Copies are never removed, \
            and hold all that is kept of people.

            What can be had from nowhere else is in the log, in what the guidance-publisher keeps (homes, contracts, \
            past prices) and in what the scheduler keeps (devices, goals). Insights are counted from the log again; \
            only repairs, and what was counted of records that retention has removed, are nowhere but there.

            EXAMPLES
              energyctl store backup --state /var/lib/gridtide --to /mnt/backup/gridtide
              energyctl store backup --service scheduler --state /var/lib/gridtide --to /mnt/backup
            """)

    @OptionGroup var place: StateOption
    @OptionGroup var services: ServicesOption
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The folder for the copies, no state directory. Made if only it is missing.", valueName: "folder"),
        completion: .directory)
    var to: String
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        // As of --state.
        guard !to.isEmpty else { throw ValidationError("--to is empty. Say which folder the copies go to.") }
    }

    func perform(in context: CommandContext) async throws(CommandFailure) {
        guard let maker = context.tools.backupMaker else {
            throw CommandFailure(.failure, "This energyctl cannot back up stores.")
        }
        do throws(EnergyError) { try maker.checkTarget(to) } catch { throw CommandFailure(onFiles: error) }
        // One time for all: what was copied together is called so.
        let now = context.wallClock.now
        var (made, failures) = ([StoreBackup](), [(service: StoredService, error: EnergyError)]())
        for service in try chosen(maker) {
            do throws(EnergyError) {
                made.append(try await backUp(service, maker, now: now, in: context))
            } catch { failures.append((service, error)) }
        }
        if options.json {
            context.answer(BackupDocument(made))
        } else if !made.isEmpty {
            Self.table(made).lines(context.style).forEach(context.output.line)
        }
        // One that fails is no reason to leave the others without a copy.
        guard let first = failures.first else { return }
        throw CommandFailure(CommandFailure(onFiles: first.error).exit, Self.text(failures))
    }

    /// What several have in common is said once.
    private static func text(_ failures: [(service: StoredService, error: EnergyError)]) -> String {
        var groups: [(names: [String], message: String)] = []
        for (service, error) in failures {
            if let index = groups.firstIndex(where: { $0.message == error.message }) {
                groups[index].names.append(service.rawValue)
            } else {
                groups.append(([service.rawValue], error.message))
            }
        }
        return groups.map { "\($0.names.joined(separator: ", ")): \(TerminalText.safe($0.message).asSentence)" }
            .joined(separator: " ")
    }

    private func chosen(_ maker: any StoreBackupMaker) throws(CommandFailure) -> [StoredService] {
        guard services.service.isEmpty else {
            return StoredService.allCases.filter { services.service.contains($0) }
        }
        let found: [StoredService]
        do throws(EnergyError) { found = try maker.services(in: place.state) } catch {
            throw CommandFailure(onFiles: error)
        }
        guard !found.isEmpty else {
            let state = TerminalText.safe(place.state)
            throw .usage("No service has stored anything in \(state). Name another with --state.")
        }
        return found
    }

    private func backUp(
        _ service: StoredService, _ maker: any StoreBackupMaker, now: Timestamp, in context: CommandContext
    ) async throws(EnergyError) -> StoreBackup {
        let (output, style) = (context.output, context.style)
        defer { output.progress(nil) }
        return try await maker.backUp(service, in: place.state, to: to, now: now) { part in
            output.progress(style.progress(part, of: service.rawValue, part < 1 ? "copying" : "checking"))
        }
    }

    private static func table(_ made: [StoreBackup]) -> Table {
        var table = Table([
            .init("service", shrinks: true), .init("size", .right, dropOrder: 1), .init("file", wraps: true),
        ])
        for backup in made {
            table.add([
                .init(backup.service.rawValue), .init(Quantities.size(bytes: backup.bytes)), .init(backup.file),
            ])
        }
        return table
    }
}

/// For programs.
struct BackupDocument: Encodable {
    struct Backup: Encodable {
        let service: String
        let file: String
        let bytes: Int
    }

    let backups: [Backup]

    init(_ made: [StoreBackup]) {
        backups = made.map { Backup(service: $0.service.rawValue, file: $0.file, bytes: $0.bytes) }
    }
}
