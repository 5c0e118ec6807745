internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

struct ScheduleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule", abstract: "What devices will do, and why: show plans, set and clear goals.",
        discussion: """
            EXAMPLES
              energyctl schedule
              energyctl schedule set --device car-1 --ready-by 07:00 --soc 80
              energyctl schedule set --device car-1 --ready-by 'tomorrow 07:00' --energy 12.5
              energyctl schedule set --device heatpump-1 --ready-by 22:00 --reduce 90
              energyctl schedule set --device car-1 --ready-by 07:00 --every mon-fri --soc 80
              energyctl schedule preview --device car-1 --ready-by 07:00 --soc 80
              energyctl schedule rules --device car-1 --min-soc 30 --away 'mon-fri 08:00-17:30'
              energyctl schedule now --device car-1        (or pause, resume, stop, skip)
              energyctl schedule clear --device car-1
              energyctl schedule limits set limits.json
              energyctl schedule objective money
              energyctl schedule forecast set forecast.json
              energyctl schedule solve problem.json
              energyctl schedule devices
            """,
        subcommands: [
            Show.self, Set.self, Preview.self, Rules.self, Now.self, Pause.self, Resume.self, Stop.self, Skip.self,
            Clear.self, Limits.self, Objective.self, Forecast.self, Solve.self, Devices.self, AddDevice.self,
            RemoveDevice.self,
        ],
        defaultSubcommand: Show.self)

    struct Show: StandingCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the present plans.",
            discussion: """
                EXAMPLES
                  energyctl schedule
                  energyctl schedule --device car-1 --watch
                  energyctl schedule --csv > plans.csv
                """)
        @Option(name: .long, help: ArgumentHelp("Only of this device.", valueName: "id"), completion: .devices)
        var device: String?
        @OptionGroup var place: VenueOption
        @OptionGroup var list: ListOptions
        @OptionGroup var following: WatchOption
        @OptionGroup var options: GlobalOptions

        func validate() throws { try following.validate(isFile: list.csv) }

        func show(in context: CommandContext) async throws(CommandFailure) {
            let venue = try await context.venue(place.venue, for: .schedule)
            let schedules = try await context.call(
                .schedule, Methods.listSchedules, ScheduleFilter(venueID: venue.id, deviceID: device)
            ).schedules
            if schedules.isEmpty, let device { try await context.refuseUnknown(device, venue) }
            let documents = schedules.map { ScheduleDocument($0, in: venue.timeZone) }
            guard !list.csv else { return context.output.csv(documents.flatMap(ScheduleRow.rows)) }
            guard !options.json else { return context.answer(SchedulesDocument(schedules: documents)) }
            if schedules.isEmpty {
                context.say(
                    "Nothing is planned. Try: energyctl schedule set --device ID --ready-by 07:00 --soc 80")
            }
            let names = try await context.deviceNames(venue)
            for (index, schedule) in schedules.enumerated() {
                if index > 0 { context.output.line("") }
                context.show(schedule, name: names[schedule.deviceID], venue)
            }
        }

        func news(in context: CommandContext) async throws(CommandFailure) -> [NewsSource] {
            let venue = try await context.venue(place.venue, for: .schedule)
            let prefix =
                device.map { Topics.schedule(venueID: venue.id, deviceID: $0) }
                ?? Topics.allSchedules + "\(venue.id.text)/"
            return [.topic(.schedule, prefix: prefix)]
        }
    }

    struct Clear: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a device's goals away, or one of them.",
            discussion: "EXAMPLE\n  energyctl schedule clear --device car-1")
        @Option(name: .long, help: ArgumentHelp("The device.", valueName: "id"), completion: .devices)
        var device: String
        @Option(
            name: .long, help: ArgumentHelp("Only this goal; energyctl schedule --json shows its id.", valueName: "id"),
            transform: { text in
                guard let id = UUID(uuidString: text) else { throw ValidationError("--goal must be a UUID.") }
                return id
            })
        var goal: UUID?
        @OptionGroup var place: VenueOption
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let venue = try await context.venue(place.venue, for: .schedule)
            _ = try await context.call(
                .schedule, Methods.deleteGoal, DeviceReference(venueID: venue.id, deviceID: device, goalID: goal))
            context.output.line(
                options.json
                    ? JSONText.document(["cleared": device])
                    : goal == nil
                        ? "\(TerminalText.safe(device)) has no goal any more." : "The goal is taken away.")
        }
    }

    struct Devices: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the devices that can be planned.",
            discussion: "EXAMPLE\n  energyctl schedule devices --csv > devices.csv")
        @OptionGroup var place: VenueOption
        @OptionGroup var list: ListOptions
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let venue = try await context.venue(place.venue, for: .schedule)
            let devices = try await context.call(
                .schedule, Methods.listDevices, VenueFilter(venueID: venue.id)
            ).devices
            if list.csv {
                context.output.csv(devices.map(ManagedDeviceDocument.init))
            } else if options.json {
                let documents = devices.map(ManagedDeviceDocument.init)
                context.output.line(JSONText.document(ManagedDevicesDocument(devices: documents)))
            } else if devices.isEmpty {
                context.say("The scheduler knows no device. Try: energyctl schedule add-device --help")
            } else {
                ListTables.lines(devices, context.style).forEach(context.output.line)
            }
        }
    }
}

extension CommandContext {
    func deviceNames(_ venue: Venue) async throws(CommandFailure) -> [String: String] {
        let devices = try await call(.schedule, Methods.listDevices, VenueFilter(venueID: venue.id)).devices
        return Dictionary(devices.map { ($0.device.id, $0.device.name) }, uniquingKeysWith: { first, _ in first })
    }

    /// - Throws: ``CommandFailure`` for a device that the scheduler does not know, as what is asked of one is refused.
    func refuseUnknown(_ device: String, _ venue: Venue) async throws(CommandFailure) {
        let names = try await deviceNames(venue)
        guard names[device] == nil else { return }
        throw CommandFailure(
            .refused,
            "The scheduler knows no device '\(TerminalText.safe(device))' at this venue. "
                + DeviceSuggestion.text(device, among: names.keys) + Self.known(names))
    }

    /// Says so when nothing was found of a device, and the scheduler does not know it either.
    func noteIfUnknown(_ device: String?, _ venue: Venue) async {
        guard let device, let names = try? await deviceNames(venue), names[device] == nil else { return }
        output.note(
            "There is nothing of a device '\(TerminalText.safe(device))', and the scheduler knows none such. "
                + DeviceSuggestion.text(device, among: names.keys) + Self.known(names))
    }

    private static func known(_ names: [String: String]) -> String {
        let known = names.keys.sorted().prefix(20).map(TerminalText.safe).joined(separator: ", ")
        return known.isEmpty ? "It knows no device." : "It knows: \(known)."
    }

    func show(_ schedule: Schedule, name: String?, _ venue: Venue) {
        let view = ScheduleView(
            schedule: schedule, deviceName: name, venue: venue, now: wallClock.now, style: style)
        view.lines().forEach(output.line)
    }
}
