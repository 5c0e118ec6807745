internal import EnergyModel
internal import EnergyStore
internal import Foundation

extension GuidancePublisher {
    static func newKey() -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<GuidanceLimits.tokenKeyByteCount).map { _ in .random(in: .min ... .max, using: &random) }
    }

    /// What a UUID says, if it is a token that was issued here.
    func opened(_ token: UUID) -> GuidanceToken? {
        authenticator.flatMap { GuidanceToken(token, sealedBy: $0) }
    }

    /// - Returns: `nil` for a venue that is not kept.
    func token(_ venueID: UUID, _ window: IssuedWindow) -> UUID? {
        guard let authenticator, let number = roster.number(of: venueID) else { return nil }
        return GuidanceToken(venueNumber: number, action: window.action, issued: window.issued)?
            .sealed(by: authenticator)
    }

    /// When guidance made now is issued: later than all before by the millisecond that tells their tokens apart, unless
    /// the clock was set back.
    func nextIssue(_ now: Timestamp) -> Timestamp {
        let ahead = lastIssue.milliseconds(since: now)
        lastIssue = 0..<1_000 ~= ahead ? lastIssue.advanced(byMilliseconds: 1) : now
        return lastIssue
    }
}
