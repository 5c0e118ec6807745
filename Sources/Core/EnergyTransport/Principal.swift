/// Names for callers that no key identifies.
public enum Principal {
    /// A caller on loopback, ipc or in the same process.
    public static let local = "local"
}
