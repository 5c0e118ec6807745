internal import EnergyModel
internal import EnergyWire
internal import Foundation

/// A guidance as it was issued to all venues of a group: each adds its token and its id.
final class IssuedWindow: Sendable {
    let window: RatedWindow
    let action: SuggestedAction
    let hasRatePlan: Bool
    let issued: Timestamp
    /// What the venues share, encoded once.
    let document: SharedGuidance

    init(_ window: RatedWindow, action: SuggestedAction, hasRatePlan: Bool, issued: Timestamp) {
        self.window = window
        self.action = action
        self.hasRatePlan = hasRatePlan
        self.issued = issued
        document = SharedGuidance(
            Self.guidance(window, action, hasRatePlan, issued, token: UUID(), venueID: UUID()))
    }

    /// As another publisher has issued it.
    ///
    /// - Throws: ``EnergyError`` when it is no guidance.
    init(document: SharedGuidance) throws(EnergyError) {
        let any = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        let guidance = try document.guidance(token: any, venueID: any)
        window = RatedWindow(
            interval: guidance.interval, values: guidance.values,
            incorporatesRatePlan: guidance.incorporatesRatePlan, basis: guidance.basis)
        (action, hasRatePlan) = (guidance.action, guidance.locationHasRatePlan)
        (issued, self.document) = (guidance.issued, document)
    }

    func guidance(token: UUID, venueID: UUID) -> Guidance {
        Self.guidance(window, action, hasRatePlan, issued, token: token, venueID: venueID)
    }

    private static func guidance(
        _ window: RatedWindow, _ action: SuggestedAction, _ hasRatePlan: Bool, _ issued: Timestamp, token: UUID,
        venueID: UUID
    ) -> Guidance {
        Guidance(
            token: token, venueID: venueID, action: action, interval: window.interval, values: window.values,
            locationHasRatePlan: hasRatePlan, incorporatesRatePlan: window.incorporatesRatePlan, issued: issued,
            basis: window.basis)
    }
}
