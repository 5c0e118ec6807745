/// Why the other side of a link does not let a client in, as far as a client can know.
package enum LinkRefusal: Sendable {
    /// It has heard the client's key, and said no.
    case unknownKey
    /// It demands keys, and the client shows none.
    case noKeys
    /// No key that the client expects there is the other side's.
    case otherService
}
