internal import EnergyModel
internal import EnergyWire
internal import Foundation

/// What somebody typed of a place. Kept as text, so that nothing is lost when some of it is wrong.
struct VenueInput: Hashable, Sendable {
    var name = ""
    var region = ""
    var timeZone = ""
    /// Empty without a contract.
    var ratePlan = ""
    /// Percent; empty is the service's.
    var weight = ""

    /// Of a place that is to be: on this machine's clock, if it is anybody's.
    init() {
        let zone = TimeZone.current.identifier
        timeZone = Self.isPlace(zone) ? zone : ""
    }

    init(_ venue: Venue) {
        name = venue.name
        region = venue.region
        timeZone = venue.timeZone.identifier
        ratePlan = venue.ratePlanID ?? ""
        weight = venue.priceWeight.map { FormText.text(($0 * 100).rounded()) } ?? ""
    }

    init(_ request: PageRequest) {
        name = FormText.line(request, "name")
        region = FormText.line(request, "region")
        timeZone = FormText.line(request, "time-zone")
        ratePlan = FormText.line(request, "rate-plan")
        weight = FormText.line(request, "weight")
    }

    /// - Parameter venue: that is to be changed; `nil` makes one.
    /// - Returns: the place to ask for, or what is wrong with the input; never both.
    func draft(replacing venue: Venue?, _ language: Language) -> (draft: VenueDraft?, problems: FormProblems) {
        var problems: FormProblems = [:]
        if name.isEmpty { problems["name"] = language(.mustBeThere) }
        if region.isEmpty { problems["region"] = language(.mustBeThere) }
        let zone = timeZone.isEmpty ? nil : TimeZone(identifier: timeZone)
        if zone == nil { problems["time-zone"] = language(.mustBeZone) }
        let percent = FormText.number(weight, in: 0...100)
        if !weight.isEmpty, percent == nil {
            problems["weight"] = language(.mustBeNumber, language(.venueWeight), "0", "100")
        }
        guard problems.isEmpty, let zone else { return (nil, problems) }
        return (
            VenueDraft(
                id: venue?.id, name: name, timeZone: zone, region: region,
                ratePlanID: ratePlan.isEmpty ? nil : ratePlan, homeIDs: venue?.homeIDs ?? [],
                priceWeight: percent.map { $0 / 100 }), [:]
        )
    }

    /// Whether people live by it: `Etc/UTC` is a machine's.
    private static func isPlace(_ zone: String) -> Bool { zone.contains("/") && !zone.hasPrefix("Etc/") }

    /// Which field is meant by the contract's.
    static let names = [
        "venue.name": "name", "venue.region": "region", "venue.time_zone": "time-zone",
        "venue.rate_plan_id": "rate-plan",
    ]

    // MARK: Fields

    /// Name, region and clock.
    ///
    /// - Parameter isNew: the reader's browser may propose its own clock.
    @HTMLBuilder func place(
        _ language: Language, regions: [String], isNew: Bool, _ problems: FormProblems
    ) -> HTML {
        Form.input("name", language(.venueName), value: name, error: problems["name"])
        Form.input(
            "region", language(.venueRegion), value: region, hint: language(.venueRegionHint),
            error: problems["region"],
            suggestions: regions, extra: [Attribute("autocomplete", "off")])
        Form.input(
            "time-zone", language(.venueZone), value: timeZone, hint: language(.venueZoneHint),
            error: problems["time-zone"], suggestions: TimeZone.knownTimeZoneIdentifiers.filter(Self.isPlace),
            extra: [Attribute("autocomplete", "off"), Attribute("data-time-zone", if: isNew)])
    }

    /// The contract, and how much it counts.
    @HTMLBuilder func contract(_ language: Language, plans: [RatePlan], _ problems: FormProblems) -> HTML {
        Form.select(
            "rate-plan", language(.ratePlan), [("", language(.ratePlanNoneChosen))] + plans.map { ($0.id, $0.name) },
            chosen: ratePlan, error: problems["rate-plan"])
        Form.number(
            "weight", language(.venueWeight), value: weight, hint: language(.venueWeightHint), error: problems["weight"]
        )
    }
}
