import Foundation
import Testing

@testable import ServiceRuntime

@Suite struct StateDirectoryTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    @Test func `the folder is made for its owner alone`() throws {
        let state = try StateDirectory(path: "\(folder.path)/a/b")
        let attributes = try FileManager.default.attributesOfItem(atPath: state.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test func `a second process is refused, and let in when the first is gone`() throws {
        do {
            let first = try StateDirectory(path: folder.path)
            #expect(throws: StartError.self) { _ = try StateDirectory(path: first.path) }
        }
        _ = try StateDirectory(path: folder.path)
    }

    @Test func `an identifier stays, and a damaged one is named`() throws {
        let state = try StateDirectory(path: folder.path)
        let id = try state.identifier("publisher-id")
        #expect(try state.identifier("publisher-id") == id)
        let file = try folder.file("broken", "no uuid")
        #expect(throws: StartError("\(file) does not hold a UUID; delete it to get a new one")) {
            try state.identifier("broken")
        }
    }

    @Test func `epochs grow even when the clock goes back`() throws {
        let state = try StateDirectory(path: folder.path)
        for (now, epoch) in [(1_000, 1_000), (500, 1_001), (-5, 1_002), (2_000, 2_000)] as [(Int64, UInt64)] {
            let next = state.nextEpoch(now: now)
            #expect(next.value == epoch)
            #expect(next.problem == nil)
        }
    }

    @Test func `a folder that cannot be made is named, with the reason and what to do`() throws {
        #expect(throws: StartError.self) { _ = try StateDirectory(path: "/proc/nowhere") }
        let file = try folder.file("file", "")
        #expect(throws: StartError("the state directory \(file) cannot be made: \(file) is there and is no directory"))
        {
            _ = try StateDirectory(path: file)
        }
        #expect(
            throws: StartError("the state directory \(file)/a cannot be made: \(file) is there and is no directory")
        ) { _ = try StateDirectory(path: "\(file)/a") }
    }

    @Test func `an epoch that cannot be written is taken from the clock, and the file is named with the reason`() throws
    {
        // A folder of that name stands in the way, whoever runs the test.
        try FileManager.default.createDirectory(atPath: "\(folder.path)/epoch/x", withIntermediateDirectories: true)
        let state = try StateDirectory(path: folder.path)
        let epoch = state.nextEpoch(now: 17)
        #expect(epoch.value == 17)
        #expect(epoch.problem?.description == "\(folder.path)/epoch cannot be written: is a directory")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["epoch", "lock"])
    }
}
