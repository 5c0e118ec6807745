internal import ArgumentParser
internal import EnergyModel
internal import Foundation

/// A command apart from where it runs: tests give it a context with services of their own.
protocol EnergyCommand: AsyncParsableCommand {
    var options: GlobalOptions { get }
    func perform(in context: CommandContext) async throws(CommandFailure)
}

extension EnergyCommand {
    mutating func run() async throws {
        let output = ProcessOutput()
        do throws(CommandFailure) {
            try await perform(in: try CommandContext.live(options, output: output))
        } catch {
            if !error.message.isEmpty { output.note("Error: \(error.message)") }
            throw ExitCode(error.exit.rawValue)
        }
    }
}

/// The options of every command.
struct GlobalOptions: ParsableArguments {
    @Flag(name: .long, help: "Print JSON: one document, or one line per item for what does not end.")
    var json = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where the services are: 'guidance=REQUESTS,PUBLICATIONS;events=...'.",
            discussion: """
                Names: guidance, events, insights, schedule. Addresses: tcp://HOST:PORT or ipc://PATH, or srv://NAME \
                for all that DNS lists of a service; more replicas are more such pairs. A service that is not named is on \
                this machine at ports 7400 and 7401 \
                (guidance), 7410 and 7411 (events), 7420 and 7421 (insights), 7430 and 7431 (schedule). \
                Default: $GRIDTIDE_ENDPOINTS.
                """,
            valueName: "list"))
    var endpoints: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file that says where the services are, and holds the keys to them.",
            discussion: """
                'energyctl keys client' makes it. Default: $GRIDTIDE_CLIENT; without endpoints, \
                ~/.config/gridtide/client.yaml if there is one.
                """,
            valueName: "file"), completion: .file())
    var client: String?

    // Here and elsewhere: a value that begins with '-' is a mistake to be told, not a missing value.
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("How long to wait for each answer: 5s, 2m. (default: 5s)", valueName: "span"),
        transform: { text in
            guard let duration = TimeSpan(text)?.duration, duration <= .seconds(600) else {
                throw ValidationError("'\(text)' is no time to wait. Say 1s to 600s, for example 5s.")
            }
            return duration
        })
    var timeout: Duration = .seconds(5)
}

/// Of commands about one venue.
struct VenueOption: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("The venue. Needed when there are several.", valueName: "name|uuid"),
        completion: .venues)
    var venue: String?
}

/// Of commands that are about every venue unless one is said.
struct AnyVenueOption: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("The venue. Every one unless it is said.", valueName: "name|uuid"),
        completion: .venues)
    var venue: String?
}

/// Turns what a person typed into a point in time, or says what can be typed.
@Sendable func timeExpression(_ text: String) throws -> TimeExpression {
    guard let expression = TimeExpression(text) else {
        if text.hasPrefix("-"), TimeSpan(String(text.dropFirst())) != nil {
            throw ValidationError(
                "'\(text)' is no time. A span is counted back or ahead by itself: \(text.dropFirst()).")
        }
        throw ValidationError("'\(text)' is no time. Say \(TimeExpression.help).")
    }
    return expression
}

/// As ``timeExpression(_:)``, of a time that has to be ahead.
@Sendable func futureTimeExpression(_ text: String) throws -> TimeExpression {
    let expression = TimeExpression(text)
    guard expression != TimeExpression("now"), expression != nil || text.hasPrefix("-") else {
        throw ValidationError("'\(text)' is no time ahead. Say \(TimeExpression.futureHelp).")
    }
    return try timeExpression(text)
}

@Sendable func timeSpan(_ text: String) throws -> TimeSpan {
    guard let span = TimeSpan(text) else {
        if text.hasPrefix("-"), TimeSpan(String(text.dropFirst())) != nil {
            throw ValidationError("'\(text)' is no length of time. It is counted back by itself: \(text.dropFirst()).")
        }
        throw ValidationError("'\(text)' is no length of time. Say one such as \(TimeSpan.help).")
    }
    return span
}
