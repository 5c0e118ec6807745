import EnergyTransport
import Foundation
import Testing

@testable import ServiceRuntime

@Suite struct AccessChangeTests {
    private let car = Principal(name: "car", permissions: [.events])
    private let wall = Principal(name: "wall", permissions: [.guidance])

    @Test func `who came, went or may do something else is named, and no key is`() throws {
        let before = ["key-1": car, "key-2": wall, "key-3": Principal(name: "old", permissions: [.admin])]
        let after = [
            "key-1": car, "key-4": wall, "key-5": Principal(name: "new", permissions: [.admin]),
        ]
        #expect(AccessChange(from: before, to: before) == nil)
        let change = try #require(AccessChange(from: before, to: after))
        #expect((change.added, change.revoked, change.changed) == (["new"], ["old"], ["wall"]))
        #expect(change.details == ["added": "new", "revoked": "old", "changed": "wall"])
        // The old key of one that was rotated opens no more.
        let rotated = try #require(AccessChange(from: ["key-1": car, "key-9": car], to: ["key-1": car]))
        #expect(rotated.details == ["changed": "car"])
    }

    @Test func `a line names so many and counts the rest`() throws {
        let many = Dictionary(
            uniqueKeysWithValues: (100..<200).map { ("key-\($0)", Principal(name: "n\($0)", permissions: [])) })
        let change = try #require(AccessChange(from: [:], to: many))
        #expect(change.details["added"]?.hasSuffix("n149 and 50 more") == true)
    }
}
