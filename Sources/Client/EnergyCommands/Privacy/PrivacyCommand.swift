internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

struct PrivacyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "privacy", abstract: "Everything of a device or a venue: hand it out, or erase it.",
        discussion: """
            EXAMPLES
              energyctl privacy export --device car-1 --output car-1.ndjson
              energyctl privacy export --venue Cabin > cabin.ndjson
              energyctl privacy erase --venue Home --device car-1
              energyctl privacy erase --venue Cabin --yes
            """,
        subcommands: [PrivacyExport.self, PrivacyErase.self])
}

/// Whose data.
struct SubjectOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The venue. Alone, it is all of the venue; with --device, needed when there are several.",
            valueName: "name|uuid"), completion: .venues)
    var venue: String?
    @Option(name: .long, help: ArgumentHelp("Only of this device.", valueName: "id"), completion: .devices)
    var device: String?

    func validate() throws {
        if venue == nil, device == nil { throw ValidationError("Say whose data: --venue, --device, or both.") }
        if device?.isEmpty == true { throw ValidationError("A device's id is not empty.") }
    }

    /// - Throws: what keeps the venue from being found. One that no service knows any more is found by its id.
    func subject(in context: CommandContext) async throws(CommandFailure) -> (DataSubject, name: String) {
        let (id, name) = try await place(in: context)
        let subject = DataSubject(venueID: id, deviceID: device)
        let place = "the venue \(name)"
        return (subject, TerminalText.safe(device.map { "the device \($0) at \(place)" } ?? place))
    }

    private func place(in context: CommandContext) async throws(CommandFailure) -> (UUID, String) {
        do throws(CommandFailure) {
            let venue = try await context.venue(venue, for: .events)
            return (venue.id, "\(venue.name) (\(venue.id.text))")
        } catch {
            // Its erasure may have been broken off when the guidance-publisher had forgotten it already.
            guard error.exit == .refused, let id = venue.flatMap(UUID.init(uuidString:)) else { throw error }
            return (id, id.text)
        }
    }
}

extension ServiceKind {
    /// Where something of a subject may be kept. Who lets events in, and makes tokens, comes first when it is erased; the
    /// log comes last, because what was counted until then is taken back by its erasure.
    static let keepers: [ServiceKind] = [.guidance, .schedule, .insights, .events]
}
