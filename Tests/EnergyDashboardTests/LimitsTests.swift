import EnergyModel
import Foundation
import Testing

@testable import EnergyDashboard

@Suite struct `What a home's connection carries` {
    private let services = FakeServices()
    private let home = Venue(
        id: UUID(), name: "Home", timeZone: TimeZone(identifier: "Europe/Berlin") ?? .gmt, region: "GB",
        changed: Timestamp(unixMilliseconds: 0))

    init() { services.state.venues = [home] }

    private func send(_ form: String) async -> Reply {
        await services.pages.limitsForm(.sent("/settings/limits", form))
    }
    private func settings() async -> String { await services.pages.settings(.sent("/settings")).text }

    private func power(_ kilowatts: Double) -> Power { Power(kilowatts: kilowatts) }

    @Test func `is asked for as people know it, and told so`() async {
        #expect(await settings().contains("None is known: plans use all the power that devices can take."))
        let reply = await send("fuse=25&phases=3&import=6&base-load=0,6")
        #expect(reply.location == "/settings?done=saved", "\(reply.text)")
        let limits = services.state.limits
        #expect(limits.mainFuse?.powerPerPhase == power(5.75) && limits.mainFuse?.power == nil)
        #expect(limits.mainFuse?.carriesBaseLoad == true && limits.mainFuse?.name == VenueLimits.fuseName)
        #expect(limits.importPower == power(6) && limits.baseLoad == Array(repeating: power(0.2), count: 3))
        let told = await settings()
        for text in [
            "Main fuse of 25 A on each of three phases", "At most 6,0 kW from the grid", "0,6 kW run anyway",
        ] { #expect(told.contains(text), "\(told)") }
        #expect(!told.contains("energyctl schedule limits"))
        let form = await services.pages.limitsForm(.sent("/settings/limits")).text
        #expect(form.contains("value=\"25\"") && form.contains("value=\"6\"") && form.contains("value=\"0.6\""))
        _ = await send("fuse=32&phases=1&import=&base-load=")
        #expect(services.state.limits.mainFuse?.power == power(7.36))
        #expect(services.state.limits.importPower == nil && services.state.limits.baseLoad.isEmpty)
        #expect(await settings().contains("Main fuse of 32 A on one phase"))
    }

    @Test func `keeps what the form does not ask, and what was not changed`() async {
        let garage = VenueLimits.Circuit(name: "garage", power: power(11), deviceIDs: ["car"])
        let box = VenueLimits.Circuit(name: "box", parent: "garage", power: power(4), deviceIDs: ["bike"])
        services.state.limits = VenueLimits(
            venueID: home.id, exportPower: power(5), circuits: [garage, box], exclusive: [["car", "bike"]],
            demandCharge: .init(microsPerKilowatt: 7_000_000), baseLoad: [power(0.1), power(0.2), power(0.3)],
            exportPrice: Price(microsPerKilowattHour: 80_000))
        #expect(await settings().contains("More is set on the command line: energyctl schedule limits"))
        let before = services.state.limits
        _ = await send("fuse=20&phases=3&import=&base-load=0.6")
        let fused = services.state.limits
        #expect(fused.circuits.map(\.name) == [VenueLimits.fuseName, "garage", "box"])
        #expect(fused.circuits.map(\.parent) == [nil, VenueLimits.fuseName, "garage"])
        #expect(fused.baseLoad == before.baseLoad && fused.exclusive == before.exclusive)
        #expect(fused.demandCharge == before.demandCharge && fused.exportPower == before.exportPower)
        #expect(fused.exportPrice == before.exportPrice && fused.violations.isEmpty)
        _ = await send("fuse=&phases=3&import=&base-load=0.6")
        #expect(services.state.limits == before)
    }

    @Test(arguments: [
        ("fuse=x", "fuse", "Main fuse, in A must be a number from 1 to 10000."),
        ("fuse=0", "fuse", "Main fuse, in A must be a number from 1 to 10000."),
        ("import=-1", "import", "Most from the grid, in kW must be a number from 0 to 10000."),
        ("base-load=1e9", "base-load", "What runs anyway, in kW must be a number from 0 to 10000."),
    ])
    func `that is no number is said beside its field, and nothing is stored`(
        form: String, field: String, text: String
    ) async {
        let before = services.state.limits
        let reply = await send(form)
        #expect(reply.text.contains("id=\"error-\(field)\"") && reply.text.contains(text), "\(reply.text)")
        #expect(services.state.limits == before)
    }
}
