internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

/// What is asked at the first run.
struct StartForm {
    let venue: VenueInput
    let contract: RatePlanInput
    /// That a place can be in.
    let regions: [String]
    /// Ids of contracts that examples have: these stay as they are.
    var taken: [String] = []
    var isSent = false

    func form(_ reader: HomeReader, _ language: Language) -> SettingsForm {
        var form = SettingsForm(title: language(.startTitle), action: "/start")
        var outcome = RatePlanInput.Outcome()
        if isSent {
            let (draft, problems) = venue.draft(replacing: nil, language)
            let zone = draft?.timeZone ?? TimeZone(identifier: venue.timeZone) ?? .gmt
            // No place of one's own has a contract yet, so that one of the same name may be replaced: as after a place was refused.
            outcome = contract.read(taken: taken, timeZone: zone, language)
            form.problems = problems.merging(outcome.problems) { $1 }
            form.remarks = outcome.remarks
            if var draft, form.problems.isEmpty {
                let plan = outcome.plan
                form.save = { () async throws(EnergyError) in
                    if let plan { draft.ratePlanID = try await reader.call(.guidance, Methods.putRatePlan, plan).id }
                    _ = try await reader.call(.guidance, Methods.putVenue, draft)
                }
            }
        }
        form.names = VenueInput.names
        form.submit = .startGo
        let formats = Formats(language: language, timeZone: TimeZone(identifier: venue.timeZone) ?? .gmt)
        form.fields = { [outcome] problems in
            venue.place(language, regions: regions, isNew: !isSent, problems)
                + contract.fields(formats, kinds: RatePlanInput.Kind.allCases, outcome, problems)
        }
        return form
    }
}
