import EnergyModel
import Foundation
import ServiceEndpoints
import Testing

@testable import EnergyCommands

struct EndpointsTests {
    @Test func `nothing said is this machine`() throws {
        let endpoints = try Endpoints(parsing: "")
        #expect(endpoints[.guidance].requestAddresses == ["tcp://127.0.0.1:7400"])
        #expect(endpoints[.schedule].publishAddresses == ["tcp://127.0.0.1:7431"])
    }

    @Test func `a named service has pairs of addresses, the others stay`() throws {
        let endpoints = try Endpoints(
            parsing: "guidance=tcp://a:1,tcp://a:2,tcp://[::1]:3,tcp://b:4; events=ipc:///e,ipc:///p")
        #expect(endpoints[.guidance].requestAddresses == ["tcp://a:1", "tcp://[::1]:3"])
        #expect(endpoints[.guidance].publishAddresses == ["tcp://a:2", "tcp://b:4"])
        #expect(endpoints[.events].requestAddresses == ["ipc:///e"])
        #expect(endpoints[.insights] == ServiceKind.insights.defaultEndpoint)
    }

    @Test(arguments: [
        "guidance", "guidance=", "meter=tcp://a:1,tcp://a:2", "guidance=tcp://a:1", "guidance=tcp://a:1,tcp://a:0",
        "guidance=tcp://a:1,tcp://a:65536", "guidance=udp://a:1,udp://a:2", "guidance=tcp://:1,tcp://a:2",
        "guidance=ipc://,ipc:///p", "guidance=tcp://a:1,tcp://a:2;guidance=tcp://a:1,tcp://a:2",
        "guidance=tcp://a:1,,tcp://a:2,",
    ])
    func `what is wrong is refused with what would be right`(text: String) {
        let failure = #expect(throws: CommandFailure.self) { try Endpoints(option: text) }
        #expect(failure?.exit == .usage)
        #expect(failure?.message.hasPrefix("endpoints: ") == true)
    }
}

struct ClockOffsetTests {
    @Test func `the clock can be moved as that of the services`() throws {
        #expect(try CommandContext.clockOffset(nil) == 0)
        #expect(try CommandContext.clockOffset("90s") == 90_000)
        #expect(try CommandContext.clockOffset("-365d") == -365 * .millisecondsPerDay)
    }

    @Test(arguments: ["1", "--1d", "1mo", "soon"])
    func `what is no offset is wrong usage`(text: String) {
        let failure = #expect(throws: CommandFailure.self) { try CommandContext.clockOffset(text) }
        #expect(failure?.exit == .usage)
    }
}

struct VenueLookupTests {
    private let both = [Samples.home, Samples.cabin]

    @Test func `the only venue need not be named`() throws {
        #expect(try VenueLookup.choose(nil, among: [Samples.home]) == Samples.home)
    }

    @Test func `of several one is to be named, and they are listed`() throws {
        let failure = #expect(throws: CommandFailure.self) { try VenueLookup.choose(nil, among: both) }
        #expect(failure?.exit == .usage)
        #expect(failure?.message.contains("Home  \(Samples.home.id.text)") == true)
        #expect(failure?.message.contains("Cabin  \(Samples.cabin.id.text)") == true)
    }

    @Test(arguments: ["cabin", "Cabin", Samples.cabin.id.text, Samples.cabin.id.uuidString])
    func `a name or an id, in either case, chooses`(wanted: String) throws {
        #expect(try VenueLookup.choose(wanted, among: both) == Samples.cabin)
    }

    @Test func `what is not there is refused with what is`() {
        let failure = #expect(throws: CommandFailure.self) { try VenueLookup.choose("Office", among: both) }
        #expect(failure?.exit == .refused)
        #expect(failure?.message.contains("Home") == true)
        let none = #expect(throws: CommandFailure.self) { try VenueLookup.choose(nil, among: []) }
        #expect(none?.message.contains("energyctl venues add") == true)
    }

    @Test func `two venues of one name are told apart by their ids`() {
        var twin = Samples.cabin
        twin.name = "Home"
        let failure = #expect(throws: CommandFailure.self) {
            try VenueLookup.choose("Home", among: [Samples.home, twin])
        }
        #expect(failure?.exit == .usage)
    }
}
