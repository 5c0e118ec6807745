internal import ArgumentParser
internal import EnergyModel
internal import Foundation
internal import KeyFiles
internal import SodiumAuthentication

struct KeysPassword: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "password", abstract: "Make or change a login for what services answer over HTTP.",
        discussion: """
            The password comes from standard input, its first line; without one, a new password is made and shown once.
            Name the file in a service's settings: http: { logins: FILE, tls: proxy }.

            EXAMPLES
              energyctl keys password prometheus
              energyctl keys password prometheus --stdin < password.txt
            """)
    @Argument(help: ArgumentHelp("Who logs in: a-z, 0-9, '-', '_', '.'.", valueName: "name")) var name: String
    @Flag(name: .long, help: "Read the password from standard input.") var stdin = false
    @Option(
        name: .long,
        help: ArgumentHelp("The file of logins. Default: http-logins in the keys' folder.", valueName: "file"),
        completion: .file())
    var output: String?
    @OptionGroup var place: KeyFolderOption
    @OptionGroup var options: GlobalOptions

    private static let loginsMax = 100
    private static let randomByteCount = 18

    func perform(in context: CommandContext) async throws(CommandFailure) {
        guard AccessList.isName(name) else {
            throw .usage("'\(name)' is no name; allowed: 1 to 64 of a-z, 0-9, '-', '_' and '.'.")
        }
        let path: String
        if let output { path = output } else { path = "\(try place.folder().path)/http-logins" }
        let password = stdin ? readLine(strippingNewline: true) ?? "" : Self.newPassword()
        let hash: String
        do throws(EnergyError) { hash = try PasswordHash.make(password) } catch {
            throw CommandFailure(
                .refused, "\(error.message.prefix(1).uppercased())\(error.message.dropFirst())".asSentence)
        }
        try onKeys { () throws(KeyFileError) in try Self.put(name, hash, into: path) }
        struct Document: Encodable {
            let name: String
            let file: String
            /// Only of one that was made here.
            let password: String?
        }
        guard !options.json else {
            let document = Document(name: name, file: path, password: stdin ? nil : password)
            return context.output.line(JSONText.document(document))
        }
        context.output.line("'\(name)' may log in. Services with http.logins: \(path) know it when they start again.")
        if !stdin { context.output.line("password  \(password)") }
    }

    /// In place of the name's line, or at the end.
    private static func put(_ name: String, _ hash: String, into path: String) throws(KeyFileError) {
        var lines: [Substring] = []
        let text = FileManager.default.fileExists(atPath: path) ? try PrivateFile.read(path).text : ""
        for line in text.split(separator: "\n") where !line.hasPrefix("\(name):") { lines.append(line) }
        guard lines.count < loginsMax else { throw KeyFileError("\(path) has \(loginsMax) logins, the most allowed") }
        lines.append("\(name):\(hash)"[...])
        try PrivateFile.write(lines.joined(separator: "\n") + "\n", to: path)
    }

    private static func newPassword() -> String {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<randomByteCount).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        return Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    }
}
