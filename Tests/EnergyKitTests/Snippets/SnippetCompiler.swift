import Foundation

/// Type-checks code against the built EnergyKit.
struct SnippetCompiler: Sendable {
    private let compiler: String
    private let modules: URL
    private let folder: URL

    /// `nil` where there is no compiler.
    init?(folder: URL) {
        let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/swiftc" }
        guard let compiler = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            return nil
        }
        self.compiler = compiler
        self.folder = folder
        modules = SourceTree.products.appending(path: "Modules")
    }

    /// - Returns: what the compiler calls errors, one line each.
    func errors(in scaffolding: Scaffolding, languageMode: Int) async throws -> [String] {
        let own = folder.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        let files = ["Snippet.swift": scaffolding.snippetFile, "App.swift": scaffolding.appFile]
        for (name, text) in files { try Data(text.utf8).write(to: own.appending(path: name)) }
        let paths = files.keys.sorted().map { own.appending(path: $0).path }
        let output = try await run(
            ["-typecheck", "-parse-as-library", "-swift-version", "\(languageMode)", "-I", modules.path]
                + moduleMaps + paths)
        let lines = Set(output.split(separator: "\n").filter { $0.contains(": error: ") }.map(String.init))
        return lines.map { $0.replacing("\(own.path)/", with: "") }.sorted()
    }

    /// The C libraries behind the modules; SwiftPM finds them by itself.
    private var moduleMaps: [String] {
        let checkouts = SourceTree.products.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "checkouts")
        let sources = ["EnergyProto", "CProtobufC", "CResolver", "CZeroMQ"].map {
            SourceTree.package.appending(path: "Sources/C/\($0)/module.modulemap").path
        }
        let maps = sources + [checkouts.appending(path: "Yams/Sources/CYaml/include/module.modulemap").path]
        let headers = SourceTree.package.appending(path: "Sources/C/EnergyProto").path
        return maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] } + ["-Xcc", "-I\(headers)"]
    }

    private func run(_ arguments: [String]) async throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: compiler)
        process.arguments = arguments
        // A file, not a pipe: nobody has to read it while the compiler writes.
        let file = folder.appending(path: UUID().uuidString)
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        let handle = try FileHandle(forWritingTo: file)
        process.standardError = handle
        process.standardOutput = handle
        let (ended, end) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in end.finish() }
        try process.run()
        for await _ in ended {}
        try handle.close()
        let output = try String(contentsOf: file, encoding: .utf8)
        if process.terminationStatus != 0, !output.contains(": error: ") { return "swiftc: error: \(output)" }
        return output
    }
}
