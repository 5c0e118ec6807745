internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

/// What is asked at the first run, once the region is chosen.
struct StartForm {
    let venue: VenueInput
    let contract: RatePlanInput
    let regions: Regions
    /// Ids of contracts that examples have: these stay as they are.
    let taken: [String]

    /// - Parameter isSent: it was filled in; all of it is looked at before anything of it is stored.
    func form(_ reader: HomeReader, _ language: Language, isSent: Bool) -> SettingsForm {
        var form = SettingsForm(title: language(.startTitle), action: "/start")
        var outcome = RatePlanInput.Outcome()
        if isSent {
            let (draft, problems) = venue.draft(replacing: nil, regions: regions.names, language)
            let zone = draft?.timeZone ?? TimeZone(identifier: venue.timeZone) ?? .gmt
            // No place of one's own has a contract yet: one of the same name is what a try before this one left.
            outcome = contract.read(taken: taken, timeZone: zone, markets: regions.prices(of: venue.region), language)
            form.problems = problems.merging(outcome.problems) { $1 }
            form.remarks = outcome.remarks
            if let draft, form.problems.isEmpty { form.save = save(draft, outcome.plan, reader) }
        }
        form.names = VenueInput.names.merging(RatePlanInput.names) { $1 }
        form.submit = .startGo
        form.fields = { [outcome] problems in fields(outcome, problems, language) }
        return form
    }

    private func save(_ draft: VenueDraft, _ plan: RatePlan?, _ reader: HomeReader) -> SettingsForm.Save {
        { () async throws(EnergyError) in
            var draft = draft
            if let plan { draft.ratePlanID = try await reader.call(.guidance, Methods.putRatePlan, plan).id }
            _ = try await reader.call(.guidance, Methods.putVenue, draft)
        }
    }

    @HTMLBuilder private func fields(
        _ outcome: RatePlanInput.Outcome, _ problems: FormProblems, _ language: Language
    ) -> HTML {
        let markets = regions.prices(of: venue.region)
        let kinds = RatePlanInput.Kind.allCases.filter { $0 != .market || !markets.isEmpty }
        if problems["region"] == nil {
            Form.hidden("region", venue.region)
            region(markets, language)
        } else {
            venue.regionField(language, regions: regions.names, problems)
        }
        venue.nameField(language, problems)
        venue.zoneField(language, isProposed: venue.timeZone.isEmpty, problems)
        contract.fields(
            Formats(language: language, timeZone: TimeZone(identifier: venue.timeZone) ?? .gmt), kinds: kinds,
            markets: markets, outcome, problems)
    }

    /// Where it is, and who says what power is like there.
    private func region(_ markets: [RegionSource], _ language: Language) -> HTML {
        let carbon = regions.carbon(of: venue.region)?.status.name
        let prices = markets.map(\.status.name).joined(separator: ", ")
        return .element("div", [.class("region")]) {
            HTML.element("p") {
                HTML.element("strong") { language.region(venue.region) }
                " "
                HTML.element("a", [.href("/start")]) { language(.startOtherRegion) }
            }
            HTML.element("p", [.class("note")]) {
                carbon == "climatology" ? language(.startCarbonUsual) : language(.startCarbon, carbon ?? "–")
            }
            HTML.element("p", [.class("note")]) {
                markets.isEmpty ? language(.startPricesNone) : language(.startPrices, prices)
            }
        }
    }
}
