internal import ArgumentParser
internal import EnergyModel
internal import Foundation
internal import KeyFiles
internal import ServiceEndpoints
internal import ZeroMQ

struct KeysRotate: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Give a client or a service a new key, while the old one is still good.",
        discussion: """
            A client gets a new file; its old key opens until the overlap is over, and older ones until theirs are. To end
            all of them, revoke the client and give it a key anew.

            A service changes its key in two steps, because clients must know a key before they connect. The first makes
            the new key known: copy access.yaml to the other hosts, and hand out new files ('energyctl keys bundle NAME').
            With --finish it takes the old one's place: copy access.yaml and the service's key file, and start the service
            again. Whoever knows both finds it before and after; the old key is good until the overlap is over.

            EXAMPLES
              energyctl keys rotate charger --overlap 2d --output charger-new.yaml
              energyctl keys rotate guidance-publisher
              energyctl keys rotate guidance-publisher --finish
            """)
    @Argument(help: ArgumentHelp("The client or service.", valueName: "name"), completion: .keyNames) var name: String
    @Option(
        name: .long, help: ArgumentHelp("How long the old key is still good: 1m, 12h, 7d.", valueName: "span"),
        transform: timeSpan)
    var overlap = TimeSpan(7, .d)
    @Flag(name: .long, help: "Of a service: put the new key in the old one's place.") var finish = false
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where to write a client's file. Default: NAME.yaml, in place of the old one.", valueName: "file"),
        completion: .file())
    var output: String?
    @OptionGroup var place: KeyFolderOption
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let units: [TimeSpan.Unit: Int64] = [.s: 1, .m: 60, .h: 3_600, .d: 86_400, .w: 604_800]
        guard let unit = units[overlap.unit], overlap.count <= 31_536_000, Int64(overlap.count) * unit <= 31_622_400
        else { throw .usage("The old key may be good for a year at most, for example --overlap 7d.") }
        let folder = try place.folder()
        let until = context.wallClock.now.advanced(byMilliseconds: Int64(overlap.count) * unit * 1_000)
        let isService = try onKeys { () throws(KeyFileError) in try folder.access().services[name] != nil }
        guard isService else {
            guard !finish else { throw .usage("--finish is for services; '\(name)' is none.") }
            return try rotateClient(in: folder, until: until, context)
        }
        guard output == nil else { throw .usage("--output is for clients; '\(name)' is a service.") }
        try rotateService(in: folder, until: until, context)
    }

    private func rotateClient(
        in folder: KeyFolder, until: Timestamp, _ context: CommandContext
    ) throws(CommandFailure) {
        let path = output ?? folder.bundlePath(name)
        try onKeys { () throws(KeyFileError) in
            try PrivateFile.requireFolder(of: path)
            let keys = try folder.rotate(name, until: until, at: context.wallClock.now)
            try folder.writeBundle(
                name, keys, to: path, endpoints: context.endpoints, at: context.wallClock.now)
        }
        guard !options.json else {
            return context.output.line(JSONText.document(KeysClient.Written(name: name, clientFile: path)))
        }
        context.say("\(path) is for '\(name)'. Its old key opens until \(until).")
    }

    private func rotateService(
        in folder: KeyFolder, until: Timestamp, _ context: CommandContext
    ) throws(CommandFailure) {
        try onKeys { () throws(KeyFileError) in
            if finish {
                try folder.finishRotation(of: name, until: until, at: context.wallClock.now)
            } else {
                try folder.announceKey(of: name)
            }
        }
        struct Document: Encodable {
            let service: String
            let keyFile: String
            let isInUse: Bool
        }
        let file = finish ? folder.keyPath(name) : folder.nextKeyPath(name)
        guard !options.json else {
            return context.output.line(JSONText.document(Document(service: name, keyFile: file, isInUse: finish)))
        }
        context.output.line(
            finish
                ? """
                \(file) is the new key of \(name); the old one is good until \(until).
                Copy it and \(folder.accessPath) to the hosts that need them, then start \(name) again.
                """
                : """
                \(file) will be the key of \(name). It is announced in \(folder.accessPath): copy that to the other hosts,
                and hand out new files (energyctl keys bundle NAME). Then: energyctl keys rotate \(name) --finish
                """)
    }
}

struct KeysBundle: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle",
        abstract: "Write a client's file anew, with the services' keys and addresses of today; its own key stays.",
        discussion: "EXAMPLE\n  energyctl keys bundle charger")
    @Argument(help: ArgumentHelp("The client.", valueName: "name"), completion: .keyNames) var name: String
    @Option(
        name: .long,
        help: ArgumentHelp("The client's present file. Default: NAME.yaml in the keys' folder.", valueName: "file"),
        completion: .file())
    var file: String?
    @OptionGroup var place: KeyFolderOption
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let folder = try place.folder()
        let path = file ?? folder.bundlePath(name)
        let client = try onKeys { () throws(KeyFileError) in try folder.client(name) }
        let keys = try ClientFile.ownKeys(path)
        try onKeys { () throws(KeyFileError) in
            guard client.owns(keys.publicKey, at: context.wallClock.now) else {
                throw KeyFileError("\(path) is not a file of '\(name)', or of a key that opens no longer")
            }
            try folder.writeBundle(
                name, keys, to: path, endpoints: context.endpoints, at: context.wallClock.now)
        }
        guard !options.json else {
            return context.output.line(JSONText.document(KeysClient.Written(name: name, clientFile: path)))
        }
        context.say("\(path) is for '\(name)', with the services' keys of today. Hand it over safely.")
    }
}

extension ClientFile {
    /// A client's own keys.
    static func ownKeys(_ path: String) throws(CommandFailure) -> CurveKeyPair {
        let file: ClientFile
        do throws(ClientFileError) { file = try ClientFile(path: path) } catch {
            throw CommandFailure(.failure, error.message.asSentence)
        }
        guard let keys = file.keys else { throw CommandFailure(.failure, "\(path) has no keys.") }
        return keys.own
    }
}

extension AccessList.Client {
    /// Whether the key opens as of `now`.
    func owns(_ key: CurveKey, at now: Timestamp) -> Bool {
        self.key == key || previous.open(at: now).contains { $0.key == key }
    }
}
