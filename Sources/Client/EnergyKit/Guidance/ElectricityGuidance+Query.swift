extension ElectricityGuidance {
    /// What guidance is wanted for.
    public struct Query: Codable, Sendable {
        let suggestedAction: SuggestedAction

        public init(suggestedAction: SuggestedAction) { self.suggestedAction = suggestedAction }
    }
}
