import ArgumentParser
import EnergyModel
import EnergyWire
import Foundation
import Testing

@testable import EnergyCommands

struct ListCSVTests {
    private let home = FakeHome()

    private var rows: [[String]] {
        String(decoding: home.output.written, as: UTF8.self).split(separator: "\r\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }

    @Test(arguments: [
        ["venues"], ["venues", "plans"], ["rate-plans"], ["schedule", "devices"], ["signals"], ["demand-response"],
        ["log", "readers"],
    ])
    func `every list has a row per item, with the keys of JSON as columns`(command: [String]) async throws {
        home.change {
            $0.sources = [.init(region: "DE", status: SignalSourceStatus(name: "a", kind: .price, isInUse: true))]
        }
        let line = try await RootCommand.asyncParseAsRoot(command + ["--csv"])
        try await (try #require(line as? any EnergyCommand)).perform(in: home.context())
        #expect(home.output.lines.isEmpty)
        guard let columns = rows.first else {
            #expect(["demand-response", "log"].contains(command[0]), "only what is empty has no columns")
            return
        }
        #expect(columns == columns.sorted() && rows.count == 2)
        let again = try await RootCommand.asyncParseAsRoot(command + ["--json"])
        try await (try #require(again as? any EnergyCommand)).perform(in: home.context())
        let keys = columns.map { $0.split(separator: ".")[0] }
        #expect(keys.allSatisfy { home.output.text.contains("\"\($0)\" : ") }, "\(columns)")
    }

    @Test func `nothing is rounded, nested values have columns of their own, and no name is a formula`() {
        struct Inner: Encodable {
            let powerMw: Int64
        }
        struct Item: Encodable {
            let name: String
            let isOn: Bool
            let share: Double
            let inner: Inner
            let tags: [String]
            let nothing: Int?
        }
        let text = ListCSV.text([
            Item(
                name: "=cmd()", isOn: true, share: 0.25, inner: Inner(powerMw: 9_007_199_254_740_993),
                tags: ["a", "b"], nothing: nil),
            Item(name: "a, \"b\"", isOn: false, share: -1.5, inner: Inner(powerMw: -1), tags: [], nothing: 7),
        ])
        #expect(
            text == "inner.power_mw,is_on,name,nothing,share,tags\r\n"
                + "9007199254740993,true,'=cmd(),,0.25,\"a; b\"\r\n"
                + "-1,false,\"a, \"\"b\"\"\",7,-1.5,\r\n")
        #expect(ListCSV.text([Item]()) == "")
    }
}
