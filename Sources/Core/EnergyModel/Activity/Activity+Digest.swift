extension Activity {
    /// Tells two statuses apart; 0 for a session, which is what its events add up to.
    public var digest: UInt64 {
        guard case .status(let status) = content else { return 0 }
        var digest = Digest()
        digest.add(id)
        digest.add(venueID)
        digest.add(time.unixMilliseconds)
        digest.add(device.id)
        digest.add(device.name)
        digest.add(status)
        return digest.value
    }
}
