internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

/// The first run: nobody has said yet where this is.
extension Pages {
    /// Asks for the place, and what power costs there.
    func start(_ request: PageRequest) async -> Reply {
        await firstRun(request) { regions in
            StartForm(venue: VenueInput(), contract: RatePlanInput(), regions: regions)
        }
    }

    /// Makes what was typed: first the contract, then the place that has it.
    func begin(_ request: PageRequest) async -> Reply {
        await firstRun(request) { regions in
            StartForm(venue: VenueInput(request), contract: RatePlanInput(request), regions: regions, isSent: true)
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

    private func firstRun(_ request: PageRequest, _ make: ([String]) -> StartForm) async -> Reply {
        do throws(EnergyError) {
            // Once only: more places are added in the settings.
            guard try await reader.venues().value.isEmpty else { return .seeOther("/") }
            let regions = try await reader.regions()
            var form = make(regions).form(reader, request.language)
            var status = 200
            if request.method == "POST" {
                status = await form.send(in: request.language)
                if status == 303 { return .seeOther("/?done=started") }
            }
            return page(StartPage(form: form, language: request.language), status: status)
        } catch { return trouble(error, request) }
    }

    private func page(_ page: StartPage, status: Int) -> Reply {
        let frame = PageFrame(
            title: page.language(.startTitle), page: nil, language: page.language, address: "/start",
            leadsToPages: false,
            isLive: false)
        return .page(frame.html { page.html() }, status: status)
    }
}
