internal import CZeroMQ
internal import Glibc
internal import Synchronization

/// Counts the bytes of messages that libzmq has taken and not yet written to the network. Its own limits count messages,
/// whatever their size.
public final class SendAccount: Sendable {
    private let held = Atomic<Int>(0)
    private let whole: SendAccount?

    /// - Parameter whole: counts the same bytes, with those of others.
    public init(partOf whole: SendAccount? = nil) { self.whole = whole }

    public var byteCount: Int { held.load(ordering: .relaxed) }

    private func add(_ byteCount: Int) {
        // libzmq hands the account from one thread to another in a way that ThreadSanitizer cannot see: this it sees.
        held.wrappingAdd(byteCount, ordering: .acquiringAndReleasing)
        whole?.add(byteCount)
    }

    /// A message in memory of its own, held in the account until libzmq frees it.
    func makeMessage(
        _ message: UnsafeMutablePointer<zmq_msg_t>, byteCount: Int
    ) throws(ZeroMQError) {
        // libzmq says of which message it lets go, not how large it was: that stands in front of it.
        let block = UnsafeMutableRawPointer.allocate(byteCount: Self.prefixByteCount + byteCount, alignment: 16)
        block.storeBytes(of: byteCount, as: Int.self)
        let hint = Unmanaged.passRetained(self)
        add(byteCount)
        let result = zmq_msg_init_data(
            message, block + Self.prefixByteCount, byteCount,
            { (data, hint) in
                guard let data, let hint else { return }
                // On libzmq's own thread.
                SendAccount.release(data - SendAccount.prefixByteCount, Unmanaged.fromOpaque(hint))
            }, hint.toOpaque())
        guard result == 0 else {
            let error = ZeroMQError(call: "zmq_msg_init_data")
            Self.release(block, hint)
            throw error
        }
    }

    private static let prefixByteCount = 16

    private static func release(_ block: UnsafeMutableRawPointer, _ account: Unmanaged<SendAccount>) {
        account.takeRetainedValue().add(-block.load(as: Int.self))
        block.deallocate()
    }
}
