import EnergyModel
import Foundation
import ServiceEndpoints
import Testing

@testable import EnergyDashboard

/// What pages say while a service does not answer.
struct ServiceAwayTests {
    private let services = FakeServices()

    private func pages() throws -> Pages {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        services.state.venues = [
            Venue(
                id: UUID(), name: "Home", timeZone: zone, region: "GB", ratePlanID: "agile",
                changed: Timestamp(unixMilliseconds: 0))
        ]
        return services.pages
    }

    private func german(_ path: String) -> PageRequest {
        var request = PageRequest.sent(path)
        request.headers["accept-language"] = "de"
        return request
    }

    @Test func `what nobody can say now is not said to be none, and who is away is named once`() async throws {
        let pages = try pages()
        _ = await pages.grid(german("/grid"))
        _ = services.presence.become(.away, .guidance)
        let text = await pages.grid(german("/grid")).text
        #expect(text.components(separatedBy: "guidance-publisher antwortet nicht.").count == 2)
        #expect(!text.contains("does not answer"))
        for word in [Word.ratePlanNone, .sourceNone] { #expect(!text.contains(Language.german(word, "GB"))) }
        #expect(text.components(separatedBy: Language.german(.notKnown)).count == 4)
    }

    @Test func `who cannot be reached is named before anybody has found out that it is away`() async throws {
        services.state.isReached = false
        let reply = try await pages().now(german("/"))
        #expect(reply.status == 503 && reply.text.contains("guidance-publisher antwortet nicht."), "\(reply.text)")
    }

    @Test func `what a vehicle does is not known while nobody tells what it said`() throws {
        let venueID = UUID()
        let devices = [Device.Kind.electricVehicle, .homeBattery].map {
            ManagedDevice(device: Device(id: $0.rawValue, name: "A", kind: $0), venueID: venueID)
        }
        func states(_ activities: [Activity]?) -> [DeviceStatus.State] {
            DeviceStatus.all(
                devices: devices, schedules: [], activities: activities, now: Timestamp(unixMilliseconds: 0)
            ).map(\.state)
        }
        #expect(states([]) == [.idle, .idle])
        // What has no word of its own follows its plan.
        #expect(states(nil) == [.unknown, .idle])
    }

    @Test func `what was typed into a form is kept while who takes it is away`() async throws {
        let pages = try pages()
        _ = services.presence.become(.away, .schedule)
        let reply = await pages.limitsForm(.sent("/settings/limits", "fuse=25&note=%22a%22"))
        #expect(reply.status == 503)
        #expect(reply.text.contains("action=\"/settings/limits\""))
        #expect(reply.text.contains("name=\"fuse\" value=\"25\""))
        #expect(reply.text.contains("value=\"&quot;a&quot;\""))
        #expect(reply.text.contains(Language.english(.sendAgain)))
        #expect(await !pages.limitsForm(PageRequest()).text.contains(Language.english(.sendAgain)))
    }

    @Test func `a page that cannot be without a service says so in the reader's language`() async throws {
        let pages = try pages()
        _ = await pages.history(german("/history"))
        _ = services.presence.become(.away, .insights)
        let reply = await pages.history(german("/history"))
        #expect(reply.status == 503)
        #expect(reply.text.contains("insight-service antwortet nicht."))
        #expect(!reply.text.contains("does not answer"))
    }
}
