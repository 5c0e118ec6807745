import Foundation

/// The documents that EnergyKit code is taken from. They stand beside the checkout and are no part of the project.
enum Seeds {
    struct Document {
        /// For example `004`.
        let name: String
        let text: String
    }

    /// `nil` when they are not there.
    static let documents: [Document]? = {
        let folder = SourceTree.package.deletingLastPathComponent().appending(path: "shared/seeds")
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let documents = files?.filter { $0.pathExtension == "txt" }.compactMap { file in
            (try? String(contentsOf: file, encoding: .utf8)).map {
                Document(name: String(file.lastPathComponent.prefix(3)), text: $0)
            }
        }
        guard let documents, !documents.isEmpty else { return nil }
        return documents.sorted { $0.name < $1.name }
    }()
}

enum SourceTree {
    /// The checkout.
    static let package: URL = {
        var url = URL(filePath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url
    }()

    /// Where the tests, and all modules, were built.
    static let products: URL = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: tests).deletingLastPathComponent()
    }()
}
