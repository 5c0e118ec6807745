import Foundation

/// Takes one connection after the other on a free port, says its words to each, and keeps it open.
final class PlainListener: Sendable {
    let port: UInt16
    private let descriptor: Int32

    init(saying words: String) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            while case let visitor = accept(descriptor, nil, nil), visitor >= 0 {
                _ = send(visitor, words, words.utf8.count, Int32(MSG_NOSIGNAL))
            }
        }
    }

    /// What was accepted stays open until the process ends: a silent program does not hang up.
    func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
