internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

struct GuidanceWatch: WatchFeed {
    let context: CommandContext
    let venues: WatchedVenues
    let service = ServiceKind.guidance
    private var told: [Place: UUID] = [:]

    private struct Place: Hashable {
        let venueID: UUID
        let action: SuggestedAction
    }

    init(context: CommandContext, venues: WatchedVenues) {
        self.context = context
        self.venues = venues
    }

    var topicPrefix: String {
        get async { venues.only.map { Topics.guidance(venueID: $0.id) } ?? Topics.allGuidance }
    }

    mutating func snapshot() async throws(CommandFailure) -> [WatchNews] {
        var news: [WatchNews] = []
        for venue in try await venues.all() {
            for action in SuggestedAction.allCases {
                do throws(CommandFailure) {
                    let request = GuidanceRequest(venueID: venue.id, action: action)
                    news += note(try await context.call(.guidance, Methods.getGuidance, request), venue)
                } catch {
                    // A venue may have no guidance yet, or none of this kind; the others have theirs.
                    if error.exit == .refused { continue }
                    guard error.exit == .unavailable, await context.isAnswering(.guidance) else { throw error }
                }
            }
        }
        return news
    }

    mutating func news(in publication: Publication) async throws(CommandFailure) -> [WatchNews] {
        guard let guidance = try? Guidance(decoding: publication.body),
            let venue = await venues.venue(guidance.venueID)
        else { return [] }
        return note(guidance, venue)
    }

    private mutating func note(_ guidance: Guidance, _ venue: Venue) -> [WatchNews] {
        let place = Place(venueID: guidance.venueID, action: guidance.action)
        guard told.updateValue(guidance.token, forKey: place) != guidance.token else { return [] }
        return [WatchNews(content: .guidance(guidance), venue: venue)]
    }
}
