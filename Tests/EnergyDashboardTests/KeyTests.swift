import EnergyModel
import EnergyTestSupport
import EnergyTransport
import Foundation
import KeyFiles
import ServiceEndpoints
import Testing
import ZeroMQ

@testable import EnergyDashboard

struct KeyTests {
    private let services = FakeServices()
    private let home = Venue(
        id: UUID(), name: "Home", timeZone: .gmt, region: "GB", homeIDs: [UUID()],
        changed: Timestamp(unixMilliseconds: 0))
    private let place: TemporaryFolder
    private let folder: KeyFolder
    private var id: String { home.id.uuidString.lowercased() }
    private let form: String

    init() throws {
        place = try TemporaryFolder()
        folder = KeyFolder(path: place.path("keys"))
        try folder.make()
        services.state.venues = [home]
        form = "name=wall-tablet&allow-guidance=yes&allow-schedules=yes&only=\(home.id.uuidString.lowercased())"
    }

    private var pages: Pages {
        var pages = services.pages
        pages.keys = folder
        return pages
    }

    // MARK: Where the keys are

    @Test func `a key is made, and shown once as a code and as the file that a client reads`() async throws {
        let reply = await pages.keyForm(.sent("/settings/key", form))
        #expect(reply.status == 200 && reply.cacheControl == "no-store")
        #expect(reply.text.contains("alt=\"QR code with the key of wall-tablet\""))
        #expect(reply.text.contains("src=\"data:image/svg+xml;base64,"))
        let client = try #require(try folder.access().clients["wall-tablet"])
        #expect(client.permissions == [.guidance, .schedules] && client.venues == [home.id])
        let file = try ClientFile(path: folder.bundlePath("wall-tablet"))
        #expect(file.keys?.own.publicKey == client.key && file.venues == [home.id])
        let saved = try String(contentsOfFile: folder.bundlePath("wall-tablet"), encoding: .utf8)
        let link = "data:application/yaml;base64,\(Data(saved.utf8).base64EncodedString())"
        #expect(reply.text.contains(link), "\(reply.text)")
        let again = await pages.keyForm(.sent("/settings/key", form))
        #expect(
            again.status == 422
                && again.text.contains("id=\"error-name\">There is a client of this name, or the file of one."))
        #expect(!again.text.contains("data:image"))
        try folder.revoke("wall-tablet")
        #expect(await pages.keyForm(.sent("/settings/key", form)).text.contains("data:image"))
    }

    @Test func `a key that was made is no form to be shown in another language`() async {
        let asked = await pages.keyForm(.sent("/settings/key")).text
        #expect(asked.contains("id=\"form\"") && asked.contains("form=\"form\""))
        let made = await pages.keyForm(.sent("/settings/key", form)).text
        #expect(!made.contains("id=\"form\"") && !made.contains("form=\"form\""))
    }

    @Test func `it says that the key is for this machine only where no other address is known`() async throws {
        let here = await pages.keyForm(.sent("/settings/key", form))
        #expect(here.text.contains("energyctl keys bundle wall-tablet --endpoints"))
        var endpoints = Endpoints()
        for service in ServiceKind.allCases {
            try endpoints.name(service.rawValue, "tcp://192.168.1.5:7400,tcp://192.168.1.5:7401")
        }
        _ = try folder.handOver(
            "owner", permissions: [.admin], venues: nil, endpoints: endpoints, at: Timestamp(unixMilliseconds: 0))
        let there = await pages.keyForm(.sent("/settings/key", form.replacing("wall-tablet", with: "phone")))
        #expect(there.status == 200 && !there.text.contains("energyctl keys bundle"))
        #expect(try ClientFile(path: folder.bundlePath("phone")).endpoints == endpoints)
    }

    @Test func `a form that is only shown in another language makes no key`() async throws {
        let reply = await pages.keyForm(.sent("/settings/key", form + "&sent=yes&language=de"))
        #expect(reply.status == 200 && reply.text.contains("Schlüssel machen"))
        #expect(try folder.access().clients.isEmpty)
    }

    @Test(arguments: [
        ("name=a%3Brm&allow-guidance=yes", "name"), ("name=-rf&allow-guidance=yes", "name"), ("name=phone", "allow"),
        ("name=phone&allow-guidance=yes&only=nowhere", "only"),
    ])
    func `what no key can be is named by its field, and nothing is made`(form: String, field: String) async throws {
        let reply = await pages.keyForm(.sent("/settings/key", form))
        #expect(reply.status == 422 && reply.text.contains("id=\"error-\(field)\""))
        #expect(try folder.access().clients.isEmpty)
    }

    @Test func `what the folder refuses is said, with all that was typed`() async throws {
        let reply = await pages.keyForm(.sent("/settings/key", "name=scheduler&allow-guidance=yes"))
        #expect(reply.status == 409 && reply.text.contains("services call themselves or others so"))
        #expect(reply.text.contains("value=\"scheduler\""))
        try FileManager.default.removeItem(atPath: folder.accessPath)
        let gone = await pages.keyForm(.sent("/settings/key", form))
        #expect(gone.status == 409 && gone.text.contains("make keys first with: energyctl keys init"))
        let settings = await pages.settings(.sent("/settings"))
        #expect(settings.status == 200 && settings.text.contains("make keys first with: energyctl keys init"))
    }

    @Test func `the settings list who may connect, what each may do, and where`() async throws {
        _ = try folder.handOver(
            "phone", permissions: [.insights], venues: [home.id], at: Timestamp(unixMilliseconds: 0))
        let text = await pages.settings(.sent("/settings")).text
        #expect(
            text.contains("<h3>phone</h3>")
                && text.contains("<p>What it may do: read what was used</p><p>Which homes it sees: Home</p>"), "\(text)"
        )
        #expect(text.contains("/settings/key\">Make a key"), "\(text)")
    }

    // MARK: Elsewhere

    @Test func `without the keys the page says what to type, and makes none`() async {
        let shown = await services.pages.keyForm(.sent("/settings/key"))
        #expect(shown.status == 200 && !shown.text.contains("energyctl keys client"))
        let reply = await services.pages.keyForm(.sent("/settings/key", form))
        #expect(reply.status == 200)
        let command = "energyctl keys client wall-tablet --allow guidance,schedules --venue \(id) --qr"
        #expect(reply.text.contains(command), "\(reply.text)")
        #expect(reply.text.contains("energyctl keys qr wall-tablet --svg wall-tablet.svg"))
        let wrong = await services.pages.keyForm(.sent("/settings/key", "name=a%3Brm&allow-guidance=yes"))
        #expect(wrong.status == 422 && !wrong.text.contains("energyctl keys client"))
    }
}
