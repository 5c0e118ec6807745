extension EnergyKitError {
    /// Whole sentences, for people who run the services themselves.
    var text: (what: String, why: String, help: String) {
        switch self {
        case .guidanceUnavailable:
            (
                "There is no electricity guidance for this venue at the moment.",
                "The guidance service answers, but no signal source has data for the venue's region, or the data are "
                    + "too old.",
                "Look at `energyctl guidance` and the service's signal sources, then try again in a few minutes."
            )
        case .inProgress:
            (
                "Insights are being fetched already.",
                "A program asks one question about past energy or run time at a time.",
                "Wait until the first answer is there, then ask again."
            )
        case .invalidLoadEvent:
            (
                "A load event was refused.",
                "It breaks a rule: it is for another venue, its guidance token was not issued to this program, the "
                    + "session's events are out of order, or a value cannot be right.",
                "Correct the event. Set ENERGYKIT_LOG=1 to see which event, which field and which rule."
            )
        case .locationServicesDenied:
            (
                "The location of the venue is not known.",
                "The venue's region is not configured.",
                "Add a venue with its region, `energyctl venues add --name NAME --zone ZONE --region REGION`, and remove "
                    + "this one with `energyctl venues remove`: a venue that exists keeps its region."
            )
        case .permissionDenied:
            (
                "This program may not do that.",
                "Its key is unknown to the service, or has no permission for this venue or this kind of request.",
                "Ask whoever runs the service for the permission."
            )
        case .rateLimitExceeded:
            (
                "The service was asked too much at once.",
                "A limit on requests, or on what is kept, was reached.",
                "Wait before the next try, and double the wait after each failure."
            )
        case .serviceUnavailable:
            (
                "The energy service does not answer.",
                "It is not running, not reachable at the configured address, or busy starting.",
                "See whether it runs with `energyctl health`, and whether ENERGYKIT_ENDPOINTS or "
                    + "~/.config/gridtide/client.yaml say where; then try again."
            )
        case .unsupportedRegion:
            (
                "There is no electricity guidance for the region of this venue.",
                "No configured signal source covers the region.",
                "Configure a source for the region. If the region is wrong, add the venue anew with `energyctl venues "
                    + "add --name NAME --zone ZONE --region REGION` and remove this one with `energyctl venues remove`."
            )
        case .venueUnavailable:
            (
                "This venue is not available.",
                "There is no venue with this identifier, or this program may not see it.",
                "List the venues and choose one, or add one with `energyctl venues add`."
            )
        }
    }
}
