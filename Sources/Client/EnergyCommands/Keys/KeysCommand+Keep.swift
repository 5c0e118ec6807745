internal import ArgumentParser
internal import EnergyModel
internal import EnergyTransport
internal import Foundation
internal import KeyFiles
internal import ServiceEndpoints
internal import ZeroMQ

struct KeysList: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List who may connect, and what each may do.",
        discussion: "EXAMPLE\n  energyctl keys list")
    @OptionGroup var place: KeyFolderOption
    @OptionGroup var listing: ListOptions
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let folder = try place.folder()
        let list = try onKeys { () throws(KeyFileError) in try folder.access() }
        let now = context.wallClock.now
        let clients = list.clients.sorted { $0.key < $1.key }.map { ClientDocument($0.key, $0.value, at: now) }
        if listing.csv {
            context.output.csv(clients)
        } else if options.json {
            struct Document: Encodable {
                let clients: [ClientDocument]
                let services: [String: String]
            }
            context.output.line(
                JSONText.document(Document(clients: clients, services: list.services.mapValues(\.text))))
        } else if clients.isEmpty {
            context.say("Only the services have keys. Try: energyctl keys client NAME --allow guidance,events")
        } else {
            ClientDocument.lines(clients, context.style).forEach(context.output.line)
        }
    }
}

struct KeysShow: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a client's or a service's public key and permissions. No secret is shown.",
        discussion: "EXAMPLE\n  energyctl keys show charger")
    @Argument(help: ArgumentHelp("The client or service.", valueName: "name"), completion: .keyNames) var name: String
    @OptionGroup var place: KeyFolderOption
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let (folder, now) = (try place.folder(), context.wallClock.now)
        let document = try onKeys { () throws(KeyFileError) in
            let list = try folder.access()
            if let client = list.clients[name] { return ClientDocument(name, client, at: now) }
            guard let key = list.services[name] else { throw folder.unknown(name, list) }
            return ClientDocument(
                name,
                .init(
                    key: key, permissions: Set(Permission.allCases), venues: nil,
                    previous: list.further[name]?.previous ?? []), at: now)
        }
        guard !options.json else { return context.output.line(JSONText.document(document)) }
        ClientDocument.lines([document], context.style).forEach(context.output.line)
        context.say("public key  \(document.publicKey)")
        for key in document.oldKeys { context.say("old key     \(key.publicKey) opens until \(key.until)") }
    }
}

struct KeysRevoke: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Let a client in no longer, with none of its keys. Services follow within a second.",
        discussion: """
            The client's file in the keys' folder is removed, too: its name is free.

            EXAMPLES
              energyctl keys revoke charger
              energyctl keys revoke event-ingestor --host cabin
            """)
    @Argument(help: ArgumentHelp("The client; with --host, the service.", valueName: "name"), completion: .keyNames)
    var name: String
    @Option(
        name: .long, help: ArgumentHelp("Of a service: only the key of its process there.", valueName: "host"))
    var host: String?
    @OptionGroup var place: KeyFolderOption
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let folder = try place.folder()
        try onKeys { () throws(KeyFileError) in
            if let host { try folder.revokeHost(host, of: name) } else { try folder.revoke(name) }
        }
        struct Document: Encodable {
            let revoked: String
            let host: String?
        }
        let place = host.map { " on '\($0)'" } ?? ""
        context.output.line(
            options.json
                ? JSONText.document(Document(revoked: name, host: host))
                : "'\(name)'\(place) is let in no longer. Other hosts need the new \(folder.accessPath) too.")
    }
}

/// A client for people and scripts, without secrets.
struct ClientDocument: Codable {
    let name: String
    let allow: [String]
    /// Absent: every venue.
    let venues: [String]?
    let publicKey: String
    /// Those that still open, the newest first.
    let oldKeys: [OldKey]

    struct OldKey: Codable {
        let publicKey: String
        let until: String
    }

    init(_ name: String, _ client: AccessList.Client, at now: Timestamp) {
        self.name = name
        allow = Permission.allCases.filter(client.permissions.contains).map(\.rawValue)
        venues = client.venues.map { $0.map(\.text).sorted() }
        publicKey = client.key.text
        oldKeys = client.previous.open(at: now).map { OldKey(publicKey: $0.key.text, until: "\($0.until)") }
    }

    static func lines(_ clients: [ClientDocument], _ style: Style) -> [String] {
        let hasOldKeys = clients.contains { !$0.oldKeys.isEmpty }
        var table = Table(
            [.init("name"), .init("may"), .init("venues", wraps: true)]
                + (hasOldKeys ? [.init("old keys until", wraps: true)] : []))
        for client in clients {
            let may =
                client.allow.count == Permission.allCases.count ? "everything" : client.allow.joined(separator: ", ")
            table.add(
                [.init(client.name), .init(may), .init(client.venues.map { $0.joined(separator: " ") } ?? "all")]
                    + (hasOldKeys ? [.init(client.oldKeys.map(\.until).joined(separator: " "))] : []))
        }
        return table.lines(style)
    }
}
