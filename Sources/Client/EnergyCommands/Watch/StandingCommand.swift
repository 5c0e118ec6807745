internal import ArgumentParser
internal import ServiceEndpoints

/// Of commands that can go on.
struct WatchOption: ParsableArguments {
    @Flag(name: .long, help: "Show it anew when there is news, until interrupted.") var watch = false

    func validate(isFile: Bool) throws { try Self.check(watch, isFile: isFile) }

    static func check(_ watch: Bool, isFile: Bool) throws {
        if watch, isFile { throw ValidationError("A file has an end: leave out --watch or --csv.") }
    }
}

/// Shows how things stand, and can go on doing so.
protocol StandingCommand: EnergyCommand {
    var following: WatchOption { get }
    /// Once.
    func show(in context: CommandContext) async throws(CommandFailure)
    /// What says that it may look different now.
    func news(in context: CommandContext) async throws(CommandFailure) -> [NewsSource]
}

extension StandingCommand {
    func perform(in context: CommandContext) async throws(CommandFailure) {
        guard following.watch else { return try await show(in: context) }
        let sources = try await news(in: context)
        await StandingView(context: context).follow(sources) { (context) async throws(CommandFailure) in
            try await show(in: context)
        }
    }
}

enum NewsSource: Sendable {
    case topic(ServiceKind, prefix: String)
    case health(ServiceKind)
}
