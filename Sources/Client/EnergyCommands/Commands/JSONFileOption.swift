internal import ArgumentParser

/// A file of JSON, or the question what such a file looks like.
struct JSONFileOption: ParsableArguments {
    @Argument(help: ArgumentHelp("The JSON file; - is standard input.", valueName: "file"), completion: .file())
    var file: String?
    @Flag(name: .long, help: "Print the JSON Schema of such a file.") var schema = false

    func validate() throws {
        guard schema != (file != nil) else { throw ValidationError("Say a file, - or --schema.") }
    }
}
