/// What a frame is for. Numbers as in `proto/energy/v1/envelope.proto`.
package enum FrameKind: UInt32, Hashable, Sendable {
    /// Also every number that a later version may add.
    case unspecified = 0
    case request, reply, chunk, end, cancel, credit, ping, pong, goAway
    case publication, head, welcome
}
