internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

/// The first run: nobody has said yet where this is.
extension Pages {
    /// Asks for the region, then for the place, and what power costs there.
    func start(_ request: PageRequest) async -> Reply {
        await firstRun(request) { (regions, examples) async throws(EnergyError) in
            guard let region = request["region"] else { return .page(.region(regions.names, [:])) }
            guard regions.names.contains(region) else {
                return .page(.region(regions.names, ["region": request.language(.mustBeRegion)]), status: 422)
            }
            var contract = RatePlanInput()
            contract.currency = RegionPlace(region).currency ?? ""
            let form = StartForm(
                venue: VenueInput(in: region), contract: contract, regions: regions,
                taken: examples.compactMap(\.ratePlanID))
            return .page(.home(form.form(reader, request.language, isSent: false)))
        }
    }

    /// Makes what was typed: first the contract, then the place that has it.
    func begin(_ request: PageRequest) async -> Reply {
        await firstRun(request) { (regions, examples) async throws(EnergyError) in
            var form = StartForm(
                venue: VenueInput(request), contract: RatePlanInput(request), regions: regions,
                taken: examples.compactMap(\.ratePlanID)
            ).form(reader, request.language, isSent: true)
            let status = await form.take(request)
            return status == 303 ? .done : .page(.home(form), status: status)
        }
    }

    /// A place to look at: guidance comes from what is usual there.
    func demo(_ request: PageRequest) async -> Reply {
        do throws(EnergyError) {
            guard try await reader.venues().value.isEmpty else { return .seeOther("/") }
            let regions = try await reader.regions().names
            let region = regions.contains(DemoHome.region) ? DemoHome.region : regions.first ?? DemoHome.region
            _ = try await reader.call(.guidance, Methods.putRatePlan, DemoHome.ratePlan)
            _ = try await reader.call(
                .guidance, Methods.putVenue,
                VenueDraft(
                    id: nil, name: DemoHome.name, timeZone: DemoHome.timeZone, region: region,
                    ratePlanID: DemoHome.ratePlan.id))
            return .seeOther("/?done=demo")
        } catch { return trouble(error, request) }
    }

    private enum FirstRun {
        case page(StartPage.Step, status: Int = 200)
        case done
    }

    private func firstRun(
        _ request: PageRequest, _ run: (Regions, _ examples: [Venue]) async throws(EnergyError) -> FirstRun
    ) async -> Reply {
        do throws(EnergyError) {
            let examples = try await reader.venues().value
            // Once only: more places are added in the settings. Nobody lives in an example.
            guard examples.allSatisfy(DemoHome.isExample) else { return .seeOther("/") }
            switch try await run(try await reader.regions(), examples) {
            case .done: return .seeOther(try await addressOfOwn())
            case .page(let step, let status):
                let back = examples.isEmpty ? nil : "/"
                return reply(
                    StartPage(step: step, language: request.language, back: back), request["region"], status: status)
            }
        } catch { return trouble(error, request) }
    }

    /// The place that was just set up, which may stand beside an example.
    private func addressOfOwn() async throws(EnergyError) -> String {
        let venues = try await reader.venues().value
        let own = venues.count > 1 ? venues.first { !DemoHome.isExample($0) } : nil
        return QueryText.address(
            "/", (own.map { [("venue", $0.id.uuidString.lowercased())] } ?? []) + [("done", "started")])
    }

    private func reply(_ page: StartPage, _ region: String?, status: Int) -> Reply {
        let frame = PageFrame(
            title: page.language(.startTitle), page: nil, language: page.language,
            address: QueryText.address("/start", region.map { [("region", $0)] } ?? []), leadsToPages: false,
            isLive: false, hasForm: page.hasForm)
        return .page(frame.html { page.html() }, status: status)
    }

    /// Of a place that was just set up: the sources that did not answer yet; `nil` if all did.
    func unheard(_ venue: Venue, _ language: Language) async -> String? {
        let sources = (try? await reader.sources(venue)) ?? []
        // What is not asked, but always there, is never heard.
        let names = sources.map(\.status).filter { $0.nextAttempt != nil && $0.lastSuccess == nil }.map(\.name)
        return names.isEmpty ? nil : language(.startUnheard, names.joined(separator: ", "))
    }
}
