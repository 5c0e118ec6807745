internal import ArgumentParser
internal import EnergyModel
internal import Foundation
internal import KeyFiles
internal import QRCodes
internal import ServiceEndpoints
internal import ZeroMQ

struct KeysQR: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "qr", abstract: "Show a client's file as a QR code, for a device with a camera.",
        discussion: """
            SECRET: whoever photographs it is the client. It needs a terminal of about 110 columns, and is refused by one \
            that is too narrow; --svg writes a picture.

            EXAMPLES
              energyctl keys qr charger
              energyctl keys qr charger --svg charger.svg
            """)
    @Argument(help: ArgumentHelp("The client.", valueName: "name"), completion: .keyNames) var name: String
    @Option(
        name: .long,
        help: ArgumentHelp("The client's file. Default: NAME.yaml in the keys' folder.", valueName: "file"),
        completion: .file())
    var file: String?
    @Option(
        name: .long, help: ArgumentHelp("Write a picture there, and show nothing.", valueName: "file"),
        completion: .file()) var svg: String?
    @OptionGroup var place: KeyFolderOption
    @OptionGroup var options: GlobalOptions

    /// - Parameter text: of a client's file.
    static func code(of text: String) throws(CommandFailure) -> QRCode {
        guard let code = QRCode(withoutComments: text) else {
            throw CommandFailure(.failure, "The file has more than the \(QRCode.bytesMax) bytes of a QR code.")
        }
        return code
    }

    /// - Throws: where the lines would break: no camera reads that.
    static func show(_ code: QRCode, of name: String, in context: CommandContext) throws(CommandFailure) {
        let columns = code.size + 2 * QRCode.quietZone
        if let width = context.style.width, width < columns {
            throw CommandFailure(
                .failure,
                "The code takes \(columns) columns, and this terminal has \(width). Make it wider or its letters smaller, "
                    + "or write a picture: energyctl keys qr \(name) --svg \(name).svg")
        }
        code.lines(isColoured: context.style.hasColor).forEach(context.output.line)
    }

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let folder = try place.folder()
        guard AccessList.isName(name) else {
            throw .usage("'\(name)' is no name; allowed: 1 to 64 of a-z, 0-9, '-', '_' and '.'.")
        }
        let path = file ?? folder.bundlePath(name)
        let client = try onKeys { () throws(KeyFileError) in try folder.client(name) }
        let keys = try ClientFile.ownKeys(path)
        let text = try onKeys { () throws(KeyFileError) in
            guard client.owns(keys.publicKey, at: context.wallClock.now) else {
                throw KeyFileError("\(path) has a key of '\(name)' that opens no longer")
            }
            let file = try PrivateFile.read(path)
            try file.requirePrivacy()
            return file.text
        }
        let code = try Self.code(of: text)
        if let svg {
            try onKeys { () throws(KeyFileError) in try PrivateFile.write(code.svg, to: svg, isNew: true) }
            struct Document: Encodable { let picture: String }
            context.output.line(
                options.json
                    ? JSONText.document(Document(picture: svg))
                    : "\(svg) is a picture of the key of '\(name)'. Only you may read it.")
        } else if options.json {
            throw .usage("A QR code is no JSON; say --svg FILE for a picture.")
        } else {
            try Self.show(code, of: name, in: context)
        }
    }
}
