internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import KeyFiles
internal import ServiceEndpoints

/// What a shell completes by asking the services. Where they do not answer soon it completes nothing: a person who types
/// is not to be held up.
extension CompletionKind {
    static var venues: CompletionKind {
        .custom { words, _, _ in await KnownNames(words)?.venues() ?? [] }
    }

    static var devices: CompletionKind {
        .custom { words, _, _ in await KnownNames(words)?.devices() ?? [] }
    }

    static var ratePlans: CompletionKind {
        .custom { words, _, _ in await KnownNames(words)?.ratePlans() ?? [] }
    }

    static var regions: CompletionKind {
        .custom { words, _, _ in await KnownNames(words)?.regions() ?? [] }
    }

    static var demandResponseEvents: CompletionKind {
        .custom { words, _, _ in await KnownNames(words)?.demandResponseEvents() ?? [] }
    }

    static var logReaders: CompletionKind {
        .custom { words, _, _ in await KnownNames(words)?.logReaders() ?? [] }
    }

    /// Of clients and services, as the keys' folder has them.
    static var keyNames: CompletionKind {
        .custom { words, _, _ in
            guard var place = try? KeyFolderOption.parse([]) else { return [] }
            place.keys = KnownNames.value(of: "--keys", in: words)
            guard let list = try? place.folder().access() else { return [] }
            return KnownNames.listed(Array(list.clients.keys) + list.services.keys)
        }
    }
}

/// Names in use, as the services that a command line names know them.
struct KnownNames {
    private let context: CommandContext
    /// More is nothing to choose from.
    private static let countMax = 200

    init(_ context: CommandContext) { self.context = context }

    /// - Parameter words: of the command line so far. `nil` where what it says cannot be used.
    init?(_ words: [String]) {
        guard var options = try? GlobalOptions.parse([]) else { return nil }
        options.timeout = .seconds(1)
        options.client = Self.value(of: "--client", in: words)
        options.endpoints = Self.value(of: "--endpoints", in: words)
        guard let context = try? CommandContext.live(options, output: ProcessOutput()) else { return nil }
        self.init(context)
    }

    /// - Returns: of `--option value` or `--option=value`, without the quotes that shells hand over.
    static func value(of option: String, in words: [String]) -> String? {
        let text: String? =
            words.last { $0.hasPrefix("\(option)=") }.map { String($0.dropFirst(option.count + 1)) }
            ?? words.lastIndex(of: option).flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
        return text.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'\"")) }
    }

    func venues() async -> [String] {
        Self.listed((try? await context.venues().map(\.name)) ?? [])
    }

    func devices() async -> [String] {
        let list = try? await context.call(.schedule, Methods.listDevices, VenueFilter(venueID: nil))
        return Self.listed(list?.devices.map(\.device.id) ?? [])
    }

    func ratePlans() async -> [String] {
        Self.listed((try? await context.call(.guidance, Methods.listRatePlans, Empty()).ratePlans.map(\.id)) ?? [])
    }

    func regions() async -> [String] {
        Self.listed((try? await context.call(.guidance, Methods.listSources, Empty()).regions) ?? [])
    }

    func demandResponseEvents() async -> [String] {
        let list = try? await context.call(.guidance, Methods.listDemandResponse, DemandResponseFilter())
        return Self.listed(
            list?.events.filter { $0.cancelled == nil && $0.interval.end > context.wallClock.now }.map(\.id.text) ?? [])
    }

    func logReaders() async -> [String] {
        Self.listed((try? await context.call(.events, Methods.listReaders, Empty()).readers.map(\.name)) ?? [])
    }

    /// One a line is what shells read.
    static func listed(_ names: [String]) -> [String] {
        Array(Set(names.map(TerminalText.safe)).sorted().prefix(countMax))
    }
}
