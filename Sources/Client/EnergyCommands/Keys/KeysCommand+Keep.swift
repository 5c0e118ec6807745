internal import ArgumentParser
internal import EnergyModel
internal import EnergyTransport
internal import Foundation
internal import KeyFiles
internal import ServiceEndpoints
internal import ZeroMQ

struct KeysList: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List who may connect, and what each may do.")
    @OptionGroup var place: KeyFolderOption
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let folder = try place.folder()
        let list = try onKeys { () throws(KeyFileError) in try folder.access() }
        let clients = list.clients.sorted { $0.key < $1.key }.map { ClientDocument($0.key, $0.value) }
        if options.json {
            struct Document: Encodable {
                let clients: [ClientDocument]
                let services: [String: String]
            }
            context.output.line(
                JSONText.document(Document(clients: clients, services: list.services.mapValues(\.text))))
        } else if clients.isEmpty {
            context.output.line("Only the services have keys. Try: energyctl keys client NAME --allow guidance,events")
        } else {
            ClientDocument.lines(clients, context.style).forEach(context.output.line)
        }
    }
}

struct KeysShow: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a client's or a service's public key and permissions. No secret is shown.")
    @Argument(help: ArgumentHelp("The client or service.", valueName: "name")) var name: String
    @OptionGroup var place: KeyFolderOption
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let folder = try place.folder()
        let document = try onKeys { () throws(KeyFileError) in
            let list = try folder.access()
            if let client = list.clients[name] { return ClientDocument(name, client) }
            guard let key = list.services[name] else { throw folder.unknown(name, list) }
            return ClientDocument(
                name, .init(key: key, permissions: Set(Permission.allCases), venues: nil))
        }
        guard !options.json else { return context.output.line(JSONText.document(document)) }
        ClientDocument.lines([document], context.style).forEach(context.output.line)
        context.output.line("public key  \(document.publicKey)")
        if let until = document.previousKeyUntil { context.output.line("old key     opens until \(until)") }
    }
}

struct KeysRevoke: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Let a client in no longer. Services follow within a second.")
    @Argument(help: ArgumentHelp("The client.", valueName: "name")) var name: String
    @OptionGroup var place: KeyFolderOption
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let folder = try place.folder()
        try onKeys { () throws(KeyFileError) in try folder.revoke(name) }
        struct Document: Encodable { let revoked: String }
        context.output.line(
            options.json
                ? JSONText.document(Document(revoked: name))
                : "'\(name)' is let in no longer. Other hosts need the new \(folder.accessPath) too.")
    }
}

/// A client for people and scripts, without secrets.
struct ClientDocument: Encodable {
    let name: String
    let allow: [String]
    /// Absent: every venue.
    let venues: [String]?
    let publicKey: String
    let previousKeyUntil: String?

    init(_ name: String, _ client: AccessList.Client) {
        self.name = name
        allow = Permission.allCases.filter(client.permissions.contains).map(\.rawValue)
        venues = client.venues.map { $0.map(\.text).sorted() }
        publicKey = client.key.text
        previousKeyUntil = client.previous?.until.description
    }

    static func lines(_ clients: [ClientDocument], _ style: Style) -> [String] {
        var table = Table([.init("name"), .init("may"), .init("venues", wraps: true)])
        for client in clients {
            let may =
                client.allow.count == Permission.allCases.count ? "everything" : client.allow.joined(separator: ", ")
            table.add([.init(client.name), .init(may), .init(client.venues.map { $0.joined(separator: " ") } ?? "all")])
        }
        return table.lines(style)
    }
}
