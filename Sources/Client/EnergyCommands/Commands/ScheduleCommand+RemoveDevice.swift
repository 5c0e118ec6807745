internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import ServiceEndpoints

extension ScheduleCommand {
    struct RemoveDevice: EnergyCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove-device", abstract: "Have the scheduler forget a device, with its goals and rules.",
            discussion: """
                What it reported stays, and so do its insights.

                EXAMPLES
                  energyctl schedule remove-device --device car-1
                  energyctl schedule remove-device --device car-1 --yes
                """)
        @Option(name: .long, help: ArgumentHelp("The device.", valueName: "id"), completion: .devices)
        var device: String
        @Flag(name: .shortAndLong, help: "Do not ask.") var yes = false
        @OptionGroup var place: VenueOption
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let venue = try await context.venue(place.venue, for: .schedule)
            try await context.refuseUnknown(device, venue)
            let name = TerminalText.safe(device)
            if !yes {
                try context.confirm("Remove the device \(name) of \(TerminalText.safe(venue.name))", done: "removed")
            }
            _ = try await context.call(
                .schedule, Methods.removeDevice, DeviceRemoval(venueID: venue.id, deviceID: device))
            context.output.line(options.json ? JSONText.document(["removed": device]) : "\(name) was removed.")
        }
    }
}
