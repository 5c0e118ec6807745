internal import ArgumentParser
internal import EnergyModel
internal import Foundation
internal import KeyFiles
internal import ServiceEndpoints
internal import ZeroMQ

struct KeysServer: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "server", abstract: "Show a service's keys, or give its process on another host one of its own.",
        discussion: """
            A service on several hosts may have one key on all of them, or one on each: then a host that is lost costs
            only its own. Copy the file to the host, where it is named as keys.file, and access.yaml to every host; files
            that were handed to clients before must be written anew ('energyctl keys bundle NAME').

            EXAMPLES
              energyctl keys server event-ingestor
              energyctl keys server event-ingestor --host cabin
            """)
    @Argument(help: ArgumentHelp("The service's executable.", valueName: "service")) var name: String
    @Option(name: .long, help: ArgumentHelp("What the other host is called here.", valueName: "host")) var host: String?
    @OptionGroup var place: KeyFolderOption
    @OptionGroup var options: GlobalOptions

    private struct Document: Encodable {
        let service: String
        let host: String?
        let keyFile: String
        /// The likeliest first.
        let publicKeys: [String]
    }

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let folder = try place.folder()
        let now = context.wallClock.now
        let document = try onKeys { () throws(KeyFileError) in
            guard let host else {
                let list = try folder.access()
                let keys = list.serviceKeys(name, at: now)
                guard !keys.isEmpty else { throw folder.unknownService(name, list) }
                return Document(
                    service: name, host: nil, keyFile: folder.keyPath(name), publicKeys: keys.map(\.text))
            }
            let key = try folder.admitHost(host, of: name).key
            return Document(
                service: name, host: host, keyFile: folder.hostKeyPath(name, host: host), publicKeys: [key.text])
        }
        guard !options.json else { return context.output.line(JSONText.document(document)) }
        context.output.line("key file    \(document.keyFile)")
        for key in document.publicKeys { context.output.line("public key  \(key)") }
        guard let host else { return }
        context.say(
            "Copy the file to '\(host)' and name it there as keys.file; copy \(folder.accessPath) to every host.")
    }
}
