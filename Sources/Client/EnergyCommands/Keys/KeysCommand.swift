internal import ArgumentParser
internal import EnergyTransport
internal import Foundation
internal import KeyFiles
internal import ServiceEndpoints

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Who may connect: make, list, change and revoke keys.",
        discussion: """
            On one machine no keys are needed. To let other machines connect, make some, then start the services with
            keys.directory set to the folder.

            EXAMPLES
              energyctl keys init              keys of the services, and one of your own
              energyctl keys client charger --allow guidance,events --venue UUID
                                               a file to hand to the charger
              energyctl keys list
              energyctl keys rotate charger    a new key; the old one opens for a week
              energyctl keys revoke charger    within a second
              energyctl keys qr charger        the charger's file as a QR code
              energyctl keys server scheduler --host cabin
                                               a key for one on another host
              energyctl keys rotate scheduler  a new key for a service, in two steps
              energyctl keys password prometheus
                                               a login for /metrics
            """,
        subcommands: [
            KeysInit.self, KeysServer.self, KeysClient.self, KeysList.self, KeysShow.self, KeysRotate.self,
            KeysBundle.self, KeysRevoke.self, KeysQR.self, KeysPassword.self,
        ])
}

/// Where the installation's keys are.
struct KeyFolderOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Folder with the keys. Default: $GRIDTIDE_KEYS, else ~/.config/gridtide/keys.", valueName: "folder"),
        completion: .directory)
    var keys: String?

    /// - Throws: `.usage` without a home.
    func folder(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CommandFailure) -> KeyFolder {
        if let path = keys ?? environment["GRIDTIDE_KEYS"], !path.isEmpty {
            return KeyFolder(path: URL(filePath: path).standardizedFileURL.path)
        }
        guard let base = ClientFile.configurationFolder(environment) else {
            throw .usage("There is no home folder: say --keys FOLDER.")
        }
        return KeyFolder(path: "\(base)/keys")
    }
}

extension CommandFailure {
    init(_ error: KeyFileError) { self.init(.failure, error.description.asSentence) }
}

/// Runs what fails with ``KeyFileError`` inside a command.
func onKeys<Value>(_ body: () throws(KeyFileError) -> Value) throws(CommandFailure) -> Value {
    do throws(KeyFileError) { return try body() } catch { throw CommandFailure(error) }
}

@Sendable func permissions(_ text: String) throws -> Set<Permission> {
    if text == "all" { return Set(Permission.allCases) }
    var permissions: Set<Permission> = []
    for word in text.split(separator: ",") {
        guard let permission = Permission(rawValue: word.trimmingCharacters(in: .whitespaces)) else {
            let words = Permission.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(word)' is no permission. Allowed: \(words), or all.")
        }
        permissions.insert(permission)
    }
    guard !permissions.isEmpty else { throw ValidationError("Say at least one permission, or all.") }
    return permissions
}
