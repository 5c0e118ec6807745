import EnergyModel
import Foundation
import SQLiteStore
import Testing

/// What people are told of a database that cannot be used.
@Suite struct DamagedDatabaseTests {
    private func refusal(
        _ code: EnergyError.Code = .dataLoss, of change: (String) throws -> Void
    ) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "damaged-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "guidance.sqlite").path
        try SQLiteGuidanceStore(path: path).close()
        try change(path)
        let error = #expect(throws: EnergyError.self) { _ = try SQLiteGuidanceStore(path: path) }
        #expect(error?.code == code)
        return (error?.message ?? "").replacing(path, with: "FILE")
    }

    @Test func `a file that begins with something else is named, with what to do`() throws {
        let message = try refusal { path in
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.write(contentsOf: Data(repeating: 0x58, count: 200))
            try file.close()
        }
        #expect(message.hasPrefix("the database FILE is not an SQLite database"))
        #expect(message.contains("backup"))
    }

    @Test func `a file whose end is missing is named, with what to do`() throws {
        let message = try refusal { path in
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.truncate(atOffset: 5_000)
            try file.close()
        }
        #expect(message.hasPrefix("the database FILE is damaged"))
        #expect(message.contains(".recover"))
    }

    @Test func `a folder in its place is told`() throws {
        let message = try refusal(.unavailable) { path in
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        #expect(message.hasPrefix("the database FILE cannot be opened"))
    }
}
