internal import ArgumentParser
internal import EnergyModel
internal import EnergyTransport
internal import Foundation
internal import KeyFiles
internal import QRCodes
internal import ServiceEndpoints
internal import ZeroMQ

struct KeysInit: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Make the keys of all services, and a client 'owner' who may do everything.",
        discussion: """
            Say with --endpoints where clients will find the services; it goes into the client's file.

            EXAMPLE
              energyctl keys init --endpoints 'guidance=tcp://192.168.1.5:7400,tcp://192.168.1.5:7401'
            """)
    @Flag(name: .long, help: "Where there are keys already, keep them and end well.") var ifMissing = false
    @OptionGroup var place: KeyFolderOption
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let folder = try place.folder()
        let isKept = ifMissing && FileManager.default.fileExists(atPath: folder.accessPath)
        if !isKept { try onKeys { () throws(KeyFileError) in try folder.make() } }
        let file =
            isKept
            ? folder.bundlePath("owner")
            : try KeysClient.write("owner", Set(Permission.allCases), venues: nil, folder: folder, to: nil, context)
        struct Document: Encodable {
            let keysDirectory: String
            let clientFile: String
        }
        guard !options.json else {
            return context.output.line(JSONText.document(Document(keysDirectory: folder.path, clientFile: file)))
        }
        guard !isKept else { return context.say("The keys are in \(folder.path) already.") }
        context.output.line(
            """
            The keys are in \(folder.path). Start the services with them:
              GRIDTIDE_KEYS_DIRECTORY=\(folder.path) guidance-publisher   (or keys: { directory: … } in its file)
            A host needs access.yaml and the .key files of the services that run there.
            You are 'owner': \(file). Use it where you work, for example:
              install -m 600 -D \(file) ~/.config/gridtide/client.yaml
            """)
        if context.endpoints == Endpoints() {
            context.say("Clients will look for the services on their own machine: --endpoints says where else.")
        }
    }
}

struct KeysClient: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "client", abstract: "Give a device or a person a key, and write the file to hand over.",
        discussion: """
            PERMISSIONS
              guidance   read guidance, signals, rate plans, demand-response events
              events     submit events, list sessions, follow events; reading the log needs admin
              insights   read insights
              schedules  read devices and schedules
              control    change devices and goals, declare events, push signals
              admin      change venues and rate plans, read and back up the log

            EXAMPLES
              energyctl keys client charger --allow guidance,events --venue 4c1fd6a2-8d0b-4f6e-9f0a-0f6c2b7f3f11
              energyctl keys client wall-tablet --allow guidance,insights,schedules --qr
            """)
    @Argument(help: ArgumentHelp("What to call it: a-z, 0-9, '-', '_', '.'.", valueName: "name")) var name: String
    @Option(
        name: .long, help: ArgumentHelp("What it may do, separated by commas, or all.", valueName: "permissions"),
        transform: permissions)
    var allow: Set<Permission>
    @Option(
        name: .long,
        help: ArgumentHelp("The only venue it may see; may be said again. Default: all.", valueName: "uuid"),
        transform: { text in
            guard let id = UUID(uuidString: text) else {
                throw ValidationError("'\(text)' is no venue's id. 'energyctl venues' lists them.")
            }
            return id
        })
    var venue: [UUID] = []
    @Option(
        name: .long,
        help: ArgumentHelp("Where to write it. Default: NAME.yaml in the keys' folder.", valueName: "file"),
        completion: .file())
    var output: String?
    @Flag(name: .long, help: "Also show the file as a QR code. SECRET: whoever photographs it is the client.")
    var qr = false
    @OptionGroup var place: KeyFolderOption
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        // Before the key is made: it would be there all the same.
        guard !qr || !options.json else { throw .usage("A QR code is no JSON; leave out --qr or --json.") }
        let file = try Self.write(
            name, allow, venues: venue.isEmpty ? nil : Set(venue), folder: try place.folder(), to: output, context)
        guard !options.json else {
            return context.output.line(JSONText.document(Written(name: name, clientFile: file)))
        }
        context.say("\(file) is for '\(name)'. Hand it over safely.")
        guard qr else { return }
        let text = try onKeys { () throws(KeyFileError) in try PrivateFile.read(file).text }
        do throws(CommandFailure) { try KeysQR.show(KeysQR.code(of: text), of: name, in: context) } catch {
            throw CommandFailure(error.exit, "The key is made, and not shown. \(error.message)")
        }
    }

    struct Written: Encodable {
        let name: String
        let clientFile: String
    }

    static func write(
        _ name: String, _ permissions: Set<Permission>, venues: Set<UUID>?, folder: KeyFolder, to output: String?,
        _ context: CommandContext
    ) throws(CommandFailure) -> String {
        let path = output ?? folder.bundlePath(name)
        try onKeys { () throws(KeyFileError) in
            _ = try folder.handOver(
                name, permissions: permissions, venues: venues, to: path, endpoints: context.endpoints,
                at: context.wallClock.now)
        }
        return path
    }
}
