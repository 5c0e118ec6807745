internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

struct RepairsImport: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Make the repairs of a file again, where the insight-service has lost them.",
        discussion: """
            For after its state was lost: wait until it has counted the log ('energyctl health'), then import what \
            'insights repairs export' wrote. Who made a repair, when and why stays, and who took it over is added. What \
            is there already is left. A repair that cannot be made is told, and the rest goes on; the exit status is \
            then 65. Needs the permission admin.

            EXAMPLE
              energyctl insights repairs import repairs.json
            """)

    /// What was written here is far below.
    private static let bytesMax = 1 << 26

    @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
    @OptionGroup var place: AnyVenueOption
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let drafts = try Self.read(file).map { (document) throws(CommandFailure) in try draft(document) }
        let venues = try await context.venues(place.venue, for: .insights)
        guard drafts.allSatisfy({ draft in venues.contains { $0.id == draft.venueID } }) else {
            let names = venues.map { TerminalText.safe($0.name) }.joined(separator: ", ")
            throw .usage("\(file) has repairs of another venue than \(names).")
        }
        let known = Set(try await context.repairs(at: venues).flatMap(\.made).map(RepairName.init))
        var (made, refused) = (0, 0)
        for draft in drafts where !known.contains(RepairName(draft)) {
            do throws(CommandFailure) {
                _ = try await context.call(.insights, Methods.repairEvent, draft)
                made += 1
            } catch {
                guard error.exit == .refused else { throw error }
                refused += 1
                context.output.note("Event \(draft.eventID.text): \(error.message)")
            }
        }
        finish(made: made, refused: refused, of: drafts.count, context)
        if refused > 0 { throw CommandFailure(.refused, "") }
    }

    private func finish(made: Int, refused: Int, of count: Int, _ context: CommandContext) {
        struct Document: Encodable {
            let repairsMade: Int
            let repairsKnown: Int
            let repairsRefused: Int
        }
        let known = count - made - refused
        guard !options.json else {
            let document = Document(repairsMade: made, repairsKnown: known, repairsRefused: refused)
            return context.output.line(JSONText.document(document))
        }
        let rest = refused > 0 ? " Not made: \(refused)." : ""
        context.output.line("\(Quantities.count(made, "repair")) made, \(known) known before.\(rest)")
    }

    private static func read(_ path: String) throws(CommandFailure) -> [RepairDocument] {
        let file = try BufferedFile(path: path)
        while file.rest.count <= bytesMax, try file.fill() {}
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard file.rest.count <= bytesMax,
            let document = try? decoder.decode(RepairsDocument.self, from: Data(file.rest))
        else { throw CommandFailure(.refused, "\(path) is not what 'energyctl insights repairs export' writes.") }
        return document.repairs
    }

    private func draft(_ document: RepairDocument) throws(CommandFailure) -> RepairDraft {
        let claims = [document.ignore, document.energyMwh != nil, document.withdrawn == true]
        let subject = "\(file): the repair of event \(document.eventId.uuid.text)"
        guard let made = Timestamp(iso8601: document.made) else {
            throw CommandFailure(.refused, "\(subject): made must be a time such as 2026-11-21T07:05:09+01:00.")
        }
        guard claims.count(where: { $0 }) == 1 else {
            throw CommandFailure(.refused, "\(subject) must say one of ignore, energy_mwh and withdrawn.")
        }
        guard document.energyMwh.map({ Energy.range ~= $0 }) ?? true else {
            throw CommandFailure(.refused, "\(subject): energy_mwh must be 0 to \(Energy.range.upperBound).")
        }
        let action = document.energyMwh.map { EventRepair.Action.energy(Energy(milliwattHours: $0)) }
        return RepairDraft(
            venueID: document.venueId.uuid, sessionID: document.sessionId.uuid, eventID: document.eventId.uuid,
            action: action ?? (document.ignore ? .ignore : .asSent), reason: document.reason,
            origin: RepairOrigin(principal: document.principal, made: made))
    }
}

/// What tells a repair from others.
private struct RepairName: Hashable {
    let venueID: UUID
    let eventID: UUID
    let action: EventRepair.Action
    let made: Timestamp?

    init(_ repair: EventRepair) {
        (venueID, eventID, action, made) = (repair.venueID, repair.eventID, repair.action, repair.made)
    }

    init(_ draft: RepairDraft) {
        (venueID, eventID, action, made) = (draft.venueID, draft.eventID, draft.action, draft.origin?.made)
    }
}
