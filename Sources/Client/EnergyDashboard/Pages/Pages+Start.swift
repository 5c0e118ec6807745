internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

/// The first run: nobody has said yet where this is.
extension Pages {
    /// Asks for the place, and what power costs there.
    func start(_ request: PageRequest) async -> Reply {
        await firstRun(request) { regions, taken in
            StartForm(venue: VenueInput(), contract: RatePlanInput(), regions: regions, taken: taken)
        }
    }

    /// Makes what was typed: first the contract, then the place that has it.
    func begin(_ request: PageRequest) async -> Reply {
        await firstRun(request) { regions, taken in
            StartForm(
                venue: VenueInput(request), contract: RatePlanInput(request), regions: regions, taken: taken,
                isSent: true)
        }
    }

    /// A place to look at: guidance comes from what is usual there.
    func demo(_ request: PageRequest) async -> Reply {
        do throws(EnergyError) {
            guard try await reader.venues().value.isEmpty else { return .seeOther("/") }
            let regions = try await reader.regions()
            let region = regions.contains(DemoHome.region) ? DemoHome.region : regions.first ?? DemoHome.region
            _ = try await reader.call(.guidance, Methods.putRatePlan, DemoHome.ratePlan)
            _ = try await reader.call(.guidance, Methods.putVenue, DemoHome.venue(in: region))
            return .seeOther("/?done=demo")
        } catch { return trouble(error, request) }
    }

    private func firstRun(
        _ request: PageRequest, _ make: (_ regions: [String], _ taken: [String]) -> StartForm
    ) async -> Reply {
        do throws(EnergyError) {
            let examples = try await reader.venues().value
            // Once only: more places are added in the settings. Nobody lives in an example.
            guard examples.allSatisfy(DemoHome.isExample) else { return .seeOther("/") }
            let regions = try await reader.regions()
            var form = make(regions, examples.compactMap(\.ratePlanID)).form(reader, request.language)
            let status = await form.take(request)
            if status == 303 { return .seeOther(try await addressOfOwn()) }
            let back = examples.isEmpty ? nil : "/"
            return page(StartPage(form: form, language: request.language, back: back), status: status)
        } catch { return trouble(error, request) }
    }

    /// The place that was just set up, which may stand beside an example.
    private func addressOfOwn() async throws(EnergyError) -> String {
        let venues = try await reader.venues().value
        let own = venues.count > 1 ? venues.first { !DemoHome.isExample($0) } : nil
        return QueryText.address(
            "/", (own.map { [("venue", $0.id.uuidString.lowercased())] } ?? []) + [("done", "started")])
    }

    private func page(_ page: StartPage, status: Int) -> Reply {
        let frame = PageFrame(
            title: page.language(.startTitle), page: nil, language: page.language, address: "/start",
            leadsToPages: false, isLive: false, hasForm: true)
        return .page(frame.html { page.html() }, status: status)
    }
}
