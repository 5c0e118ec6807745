internal import ArgumentParser
internal import EnergyModel
internal import EnergyStore

struct StoreRestore: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put backups in the place of what services that are stopped have stored.",
        discussion: """
            To be run on the services' machine, as root or by a user who may write their state directories. Of which \
            service a file is says what is in it, not its name. All of them, and where they are to go, are checked \
            before the first takes its place; the database that was there is kept beside it under another name. It is \
            written into the service's audit log, before it is done and after.

            A state directory is where the service has started once. On a new machine or a new disk, where it has not, \
            an empty folder of the service's name is taken for one; it should belong to the service's user.

            What was stored after a backup is gone. A service may be restored alone: the others notice by themselves.

            THE LOG
              One that was restored is another log to who follows it. The insight-service counts anew what it holds, \
            so what retention had removed before is gone from insights; the scheduler reads it again, and keeps what \
            devices had said of themselves.

            INSIGHTS
              Go on where the backup stands in the log, or are counted anew where the log is another one by now. \
            Repairs that were made since are gone.

            GUIDANCE
              Homes, contracts and the key of tokens are as they were. A home that was added since is unknown until \
            it is added again, as another one. Prices and carbon are asked for again, as far as their sources still \
            have them.

            SCHEDULES
              Devices, goals and limits are as they were. What devices reported since is read from the log.

            EXAMPLES
              systemctl stop gridtide-scheduler
              energyctl store restore scheduler-1772366400000.sqlite --state /var/lib/gridtide
              systemctl start gridtide-scheduler && energyctl health
            """)

    @Argument(help: ArgumentHelp("A file of store backup or log backup.", valueName: "file"), completion: .file())
    var files: [String]
    @OptionGroup var place: StateOption
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        guard let restorer = context.tools.storeRestorer else {
            throw CommandFailure(.failure, "This energyctl cannot restore stores.")
        }
        let restore = AuditedRestore(act: "energyctl store restore", restorer: restorer, state: place.state)
        let known = try await backups(restorer)
        let outcome = await restore.run(known, now: context.wallClock.now)
        // What was restored before something failed is restored.
        if options.json {
            context.answer(RestoreDocument(outcome.restored))
        } else {
            Self.say(outcome.restored, in: context)
        }
        if let failure = outcome.failure { throw failure }
    }

    /// What each file is of, before any is put anywhere.
    private func backups(
        _ restorer: any StoreRestorer
    ) async throws(CommandFailure) -> [AuditedRestore.Backup] {
        var backups: [AuditedRestore.Backup] = []
        for file in files {
            let service: StoredService
            do throws(EnergyError) { service = try await restorer.service(of: file) } catch {
                throw CommandFailure(onFiles: error)
            }
            if let other = backups.first(where: { $0.service == service }) {
                let names = TerminalText.safe("\(other.file) and \(file)")
                throw .usage("\(names) are both backups of \(service.rawValue): say one of them.")
            }
            backups.append(AuditedRestore.Backup(file: file, service: service))
        }
        return backups
    }

    private static func say(_ restored: [RestoredStore], in context: CommandContext) {
        for store in restored {
            let records = store.records.map { ": \(Quantities.count($0, "record"))" } ?? ""
            let kept = store.replaced.map { " What was there is kept as \(TerminalText.safe($0))." } ?? ""
            let file = TerminalText.safe(store.file)
            context.say("\(store.service.rawValue): \(file) now is the backup\(records).\(kept)")
        }
        guard !restored.isEmpty else { return }
        let names = restored.map(\.service.rawValue).joined(separator: ", ")
        let hasKept = restored.contains { $0.replaced != nil }
        let afterwards = hasKept ? " Remove what was kept when all is well." : ""
        context.say("Start \(names), then look: energyctl health.\(afterwards)")
    }
}

/// For programs.
struct RestoreDocument: Encodable {
    struct Store: Encodable {
        let service: String
        let file: String
        let records: Int?
        let replaced: String?
    }

    let restored: [Store]

    init(_ stores: [RestoredStore]) {
        restored = stores.map {
            Store(service: $0.service.rawValue, file: $0.file, records: $0.records, replaced: $0.replaced)
        }
    }
}
