internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints
internal import Tariffs

struct DemandResponseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demand-response",
        abstract: "Times for which the utility, or you, ask for less: declare, list and cancel them.",
        discussion: """
            EXAMPLES
              energyctl demand-response add --start 16:00 --for 5h --reason 'Flex Alert'
              energyctl demand-response add --start 'tomorrow 17:00' --for 2h --region CISO --kind reduce
              energyctl demand-response import events.json
              energyctl demand-response
              energyctl demand-response cancel 4c1fd6a2-8d0b-4f6e-9f0a-0f6c2b7f3f11
            """,
        subcommands: [List.self, Add.self, Import.self, Cancel.self], defaultSubcommand: List.self)

    struct List: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the events that stand.",
            discussion: "EXAMPLE\n  energyctl demand-response list --past --csv > events.csv")
        @Flag(name: .long, help: "Also those that are over or cancelled, of the last 31 days.") var past = false
        @Option(
            name: .long, help: ArgumentHelp("Only those that are for this venue.", valueName: "name|uuid"),
            completion: .venues)
        var venue: String?
        @OptionGroup var list: ListOptions
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let venues = try await context.venues()
            let chosen = try venue.map { (name) throws(CommandFailure) in
                try VenueLookup.choose(name, among: venues)
            }
            let filter = DemandResponseFilter(venueID: chosen?.id, includesPast: past)
            let events = try await context.call(.guidance, Methods.listDemandResponse, filter).events
            guard !list.csv else {
                let zones = events.map { chosen?.timeZone ?? $0.scope.timeZone(among: venues) }
                return context.output.csv(zip(events, zones).map { DemandResponseEventDocument($0, in: $1) })
            }
            context.show(events, venues: venues, zone: chosen?.timeZone, json: options.json)
        }
    }

    struct Add: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Declare an event. Guidance follows at once.",
            discussion: "EXAMPLE\n  energyctl demand-response add --start 16:00 --for 5h --venue Home")
        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("When it begins: \(TimeExpression.help).", valueName: "time"),
            transform: timeExpression)
        var start: TimeExpression
        @Option(
            name: .customLong("for"), parsing: .unconditional,
            help: ArgumentHelp("How long: \(TimeSpan.help), at most 7 days.", valueName: "span"),
            transform: timeSpan)
        var span: TimeSpan
        @OptionGroup var scope: ScopeOptions
        @Option(name: .long, help: "What is asked.") var kind: DemandResponseEvent.Kind = .criticalPeak
        @Option(name: .long, help: "Why, for people.") var reason = ""
        @Option(
            name: .long, parsing: .unconditional, help: "What a kWh costs meanwhile, in place of the contract's price.",
            transform: { text in
                guard let amount = Double(text), abs(amount) <= 10_000 else {
                    throw ValidationError("'\(text)' is no price. Say one per kWh, for example 2.50.")
                }
                return Price(microsPerKilowattHour: Int64((amount * 1_000_000).rounded()))
            })
        var price: Price?
        @Option(name: .long, help: "ISO 4217 code of the price.") var currency: String?
        @OptionGroup var options: GlobalOptions

        func validate() throws {
            guard (price == nil) == (currency == nil) else {
                throw ValidationError("--price and --currency go together.")
            }
        }

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let venues = try await context.venues()
            let (scope, zone) = try scope.resolved(among: venues)
            guard !start.dependsOnZone || (scope ?? .all).timeZones(among: venues).count < 2 else {
                throw .usage(
                    "The homes are in several time zones: say --venue or --region, or when it begins with an offset, "
                        + "for example 2026-07-01T16:00-07:00.")
            }
            let begin = start.timestamp(now: context.wallClock.now, in: zone, toward: .future)
            guard let interval = Interval(start: begin, end: span.moving(begin, in: zone, 1)) else {
                throw .usage("--for must be a length of time.")
            }
            let event = DemandResponseEvent(
                id: UUID(), kind: kind, scope: scope ?? .all, interval: interval, reason: reason, price: price,
                currency: currency)
            let kept = try await context.call(.guidance, Methods.putDemandResponse, event)
            context.show([kept], venues: venues, zone: zone, json: options.json)
        }
    }

    struct Import: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Declare the events of a file: plain JSON or YAML, or OpenADR 3.",
            discussion: """
                A file that was imported before declares nothing twice. Events that are over are left out. OpenADR: an event \
                of the same id whose SIMPLE is 0 now, or whose notification says DELETE, is cancelled.

                Plain: a list of maps with start and end (or duration: PT4H); optional kind (criticalPeak, which is the \
                default, or reduce), venue (a UUID) or region, reason, price and currency, and id (a UUID):
                  - { start: 2026-07-01T16:00:00-07:00, duration: PT5H,
                      kind: reduce, region: CISO, reason: Flex Alert }

                EXAMPLE
                  energyctl demand-response import summer.yaml --venue Home
                """)
        @Argument(help: "The file.", completion: .file()) var file: String
        @OptionGroup var scope: ScopeOptions
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let bytes = try InputFile.bytes(of: file)
            let venues = try await context.venues()
            let (scope, zone) = try scope.resolved(among: venues)
            let update: (events: [DemandResponseEvent], ended: [UUID])
            do throws(EnergyError) {
                update = try DemandResponseDocument.readUpdate(Array(bytes), scope: scope)
            } catch {
                throw CommandFailure(.refused, "\(TerminalText.safe(file)): \(TerminalText.safe(error.message))")
            }
            var kept: [DemandResponseEvent] = []
            for event in update.events where event.interval.end > context.wallClock.now {
                kept.append(try await context.call(.guidance, Methods.putDemandResponse, event))
            }
            kept += try await cancelled(update.ended, in: context)
            context.show(kept, venues: venues, zone: zone, json: options.json)
        }

        /// Those of `ids` that stood until now.
        private func cancelled(
            _ ids: [UUID], in context: CommandContext
        ) async throws(CommandFailure) -> [DemandResponseEvent] {
            guard !ids.isEmpty else { return [] }
            let standing = try await context.call(.guidance, Methods.listDemandResponse, DemandResponseFilter())
            var result: [DemandResponseEvent] = []
            for event in standing.events where ids.contains(event.id) && event.cancelled == nil {
                result.append(
                    try await context.call(
                        .guidance, Methods.cancelDemandResponse, DemandResponseReference(id: event.id)))
            }
            return result
        }
    }

    struct Cancel: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Cancel an event: it ends now, or never begins. One of a file is taken out there.",
            discussion: "EXAMPLE\n  energyctl demand-response cancel 0000010c-abfa-8db4-ae90-8ec8ed35dc31")
        @Argument(
            help: ArgumentHelp("The event.", valueName: "uuid"), completion: .demandResponseEvents,
            transform: { text in
                guard let id = UUID(uuidString: text) else { throw ValidationError("'\(text)' is no UUID.") }
                return id
            })
        var id: UUID
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let cancelled = try await context.call(
                .guidance, Methods.cancelDemandResponse, DemandResponseReference(id: id))
            context.show([cancelled], venues: try await context.venues(), zone: nil, json: options.json)
        }
    }
}

/// For whom an event is: a venue, a region, or every venue.
struct ScopeOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("For one venue.", valueName: "name|uuid"), completion: .venues)
    var venue: String?
    @Option(name: .long, help: "For the venues of a grid region; for all unless said.") var region: String?

    func validate() throws {
        if venue != nil, region != nil { throw ValidationError("Say --venue or --region, not both.") }
    }

    /// - Returns: `nil` as scope if nothing was said; the clock that times are read on: the venue's, that of the venues if
    ///   they share one, else this machine's.
    func resolved(
        among venues: [Venue]
    ) throws(CommandFailure) -> (DemandResponseEvent.Scope?, TimeZone) {
        if let venue {
            let chosen = try VenueLookup.choose(venue, among: venues)
            return (.venue(chosen.id), chosen.timeZone)
        }
        let scope = region.map { DemandResponseEvent.Scope.region($0) }
        return (scope, (scope ?? .all).timeZone(among: venues))
    }
}

extension DemandResponseEvent.Scope {
    /// The clock that its times are read on: the venue's, that of its venues if they share one, else this machine's.
    func timeZone(among venues: [Venue]) -> TimeZone {
        let zones = timeZones(among: venues)
        return zones.count == 1 ? zones.first ?? .current : .current
    }

    fileprivate func timeZones(among venues: [Venue]) -> Set<TimeZone> {
        let meant = venues.filter { venue in
            switch self {
            case .venue(let id): venue.id == id
            case .region(let region): venue.region == region
            case .all: true
            }
        }
        return Set(meant.map(\.timeZone))
    }
}

extension CommandContext {
    /// - Parameter zone: of the times; `nil` is each event's own.
    fileprivate func show(_ events: [DemandResponseEvent], venues: [Venue], zone: TimeZone?, json: Bool) {
        let zones = events.map { zone ?? $0.scope.timeZone(among: venues) }
        if json {
            let documents = zip(events, zones).map { DemandResponseEventDocument($0, in: $1) }
            output.line(JSONText.document(DemandResponseDocumentList(events: documents)))
        } else if events.isEmpty {
            output.line("There is no demand-response event.")
        } else {
            DemandResponseTable.lines(events, zones: zones, venues: venues, now: wallClock.now, style)
                .forEach(output.line)
        }
    }
}
