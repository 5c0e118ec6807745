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

    /// Of a place in a region: on the clock there, where that is known.
    init(in region: String) {
        self.init()
        self.region = region
        timeZone = RegionPlace(region).timeZone ?? timeZone
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

    /// - Parameters:
    ///   - venue: that is to be changed; `nil` makes one.
    ///   - venues: that there are: people tell them apart by their names.
    ///   - regions: that it can be in; where it is it can stay.
    /// - Returns: the place to ask for, or what is wrong with the input; never both.
    func draft(
        replacing venue: Venue?, among venues: [Venue] = [], regions: [String], _ language: Language
    ) -> (draft: VenueDraft?, problems: FormProblems) {
        var problems: FormProblems = [:]
        if NameRules.violation(ofName: name, field: "") != nil { problems["name"] = language(.mustBeThere) }
        if venues.contains(where: { $0.id != venue?.id && $0.name == name }) {
            problems["name"] = language(.mustBeOtherName)
        }
        if !(regions + [venue?.region]).contains(region) { problems["region"] = language(.mustBeRegion) }
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

    func nameField(_ language: Language, _ problems: FormProblems) -> HTML {
        Form.input("name", language(.venueName), value: name, error: problems["name"])
    }

    /// By the names that people know. What is not among them stays a choice while it is chosen.
    func regionField(_ language: Language, regions: [String], _ problems: FormProblems) -> HTML {
        let known = regions.contains(region) || region.isEmpty ? regions : regions + [region]
        let choices = known.map { ($0, language.region($0)) }.sorted { $0.1 < $1.1 }
        return Form.select(
            "region", language(.venueRegion), [("", language(.venueRegionNone))] + choices, chosen: region,
            hint: language(.venueRegionHint), error: problems["region"])
    }

    /// - Parameter isProposed: by the reader's browser, in place of what is there.
    func zoneField(_ language: Language, isProposed: Bool, _ problems: FormProblems) -> HTML {
        Form.input(
            "time-zone", language(.venueZone), value: timeZone, hint: language(.venueZoneHint),
            error: problems["time-zone"], suggestions: TimeZone.knownTimeZoneIdentifiers.filter(Self.isPlace),
            extra: [Attribute("autocomplete", "off"), Attribute("data-time-zone", if: isProposed)])
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
