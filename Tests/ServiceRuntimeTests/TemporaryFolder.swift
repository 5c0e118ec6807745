import Foundation

/// A folder of one test, gone with it.
final class TemporaryFolder: Sendable {
    let path: String

    convenience init() throws {
        try self.init(
            path: FileManager.default.temporaryDirectory.appending(path: "gridtide-\(UUID().uuidString)").path)
    }

    init(path: String) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String, _ text: String) throws -> String {
        let file = "\(path)/\(name)"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }
}
