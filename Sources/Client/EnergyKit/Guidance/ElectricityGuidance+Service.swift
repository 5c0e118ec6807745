public import Foundation

extension ElectricityGuidance {
    /// Gives guidance; there is one for the whole program, ``ElectricityGuidance/sharedService``.
    public final class Service: Sendable {
        init() {}

        /// The present guidance of a venue at once, then each new one, for as long as it is iterated.
        ///
        /// New guidance comes every hour, and sooner when the forecast or the rate plan changes. Who iterates slowly
        /// misses some, never the newest. Once the first value was there, an absent service is waited for; `break`, and
        /// cancelling the task, end it.
        ///
        /// - Throws: nothing itself. Iterating throws ``EnergyKitError/venueUnavailable`` for an unknown venue,
        ///   ``EnergyKitError/permissionDenied``, ``EnergyKitError/unsupportedRegion``; and, when there is no first
        ///   value within ``EnergyKitConfiguration/firstGuidanceTimeout``, ``EnergyKitError/guidanceUnavailable`` or, if
        ///   the service does not answer at all, ``EnergyKitError/serviceUnavailable``.
        public final func guidance(
            using query: ElectricityGuidance.Query, at energyVenueID: UUID
        ) -> some AsyncSequence<ElectricityGuidance, any Error> {
            // Who is asked is settled here: the sequence may be iterated in another task.
            GuidanceUpdates(
                venueID: energyVenueID, action: query.suggestedAction.model,
                services: Result { () throws(EnergyKitError) in try EnergyServices.current() })
        }
    }
}
