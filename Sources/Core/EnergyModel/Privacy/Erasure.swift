/// Stands in the event log behind what was erased: everything before it of its venue, or of one of the venue's devices.
///
/// Who has counted the log takes back what is covered when the erasure comes; who counts it anew meets nothing to take
/// back. Both end alike.
public struct Erasure: Hashable, Sendable {
    /// A device without its id, which is no longer kept.
    ///
    /// Not cryptographic: who guesses an id can tell that it is the one.
    public struct Device: Hashable, Sendable {
        /// Another for each erasure, so that the digests of two cannot be compared.
        public let salt: UInt64
        public let digest: UInt64

        public init(salt: UInt64, digest: UInt64) {
            self.salt = salt
            self.digest = digest
        }

        public init(id: String, salt: UInt64) {
            var digest = Digest()
            digest.add(Int64(bitPattern: salt))
            digest.add(id)
            self.init(salt: salt, digest: digest.value)
        }
    }

    /// `nil` is the whole venue.
    public let device: Device?

    public init(device: Device?) { self.device = device }

    /// - Parameter salt: random.
    public init(of subject: DataSubject, salt: UInt64) {
        self.init(device: subject.deviceID.map { Device(id: $0, salt: salt) })
    }

    /// Whether what was counted of a device of the venue is to be taken back.
    public func covers(deviceID: String) -> Bool {
        guard let device else { return true }
        return Device(id: deviceID, salt: device.salt) == device
    }
}
