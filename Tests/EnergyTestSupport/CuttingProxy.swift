public import Foundation

/// Stands between clients and a server of the loopback. When it is armed and the server says a certain word, it cuts the
/// connection instead of passing that on, once: the server did what the client will never hear of.
public final class CuttingProxy: Sendable {
    public let port: Int
    private let listener: Int32
    private let word: Data
    private let isArmed = Box(false)
    private let cutCount = Box(0)

    /// - Parameters:
    ///   - port: the server's.
    ///   - word: of the server, within what it sends at once.
    public init(to port: Int, cutsAt word: Data) throws {
        let (listener, ownPort) = try Loopback.listen()
        (self.port, self.word, self.listener) = (ownPort, word, listener)
        let cut = cutter
        Thread.detachNewThread {
            while let client = Loopback.accept(listener) {
                let server = Loopback.socket()
                guard Loopback.with(port: port, { connect(server, $0, $1) }) == 0 else {
                    close(client)
                    close(server)
                    continue
                }
                Thread.detachNewThread { Self.pass(from: client, to: server) { _ in false } }
                Thread.detachNewThread { Self.pass(from: server, to: client, until: cut) }
            }
            close(listener)
        }
    }

    /// Wakes the thread that accepts.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Cuts the next connection on which the server says the word.
    public func arm() { isArmed.set(true) }
    public var cuts: Int { cutCount.value }

    private var cutter: @Sendable (Data) -> Bool {
        { [word, isArmed, cutCount] data in
            guard data.range(of: word) != nil else { return false }
            let isCut = isArmed.update { isArmed in
                defer { isArmed = false }
                return isArmed
            }
            if isCut { cutCount.update { $0 += 1 } }
            return isCut
        }
    }

    /// Both directions end together. The descriptors are left open: each is another thread's too, and the test is short.
    private static func pass(from source: Int32, to sink: Int32, until isOver: (Data) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0, !isOver(Data(buffer[..<count])) else { break }
            var sent = 0
            while sent < count {
                let more = buffer[sent..<count].withUnsafeBytes {
                    send(sink, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard more > 0 else { break }
                sent += more
            }
            guard sent == count else { break }
        }
        for end in [source, sink] { shutdown(end, Int32(SHUT_RDWR)) }
    }
}
