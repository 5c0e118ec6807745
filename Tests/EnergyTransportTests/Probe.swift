import EnergyTestSupport
import EnergyTransport
import Foundation
import ZeroMQ

/// A bare ZeroMQ socket that says what a test wants said.
///
/// Unchecked: a test waits for one call before the next, and libzmq lets a socket pass between threads like that.
final class Probe: @unchecked Sendable {
    private let socket: Socket
    private let message = Message()
    private(set) var lastBody: [UInt8] = []

    init(
        _ kind: Socket.Kind, _ address: String, routingID: String? = nil, receiveQueueMax: Int = 1_000,
        sendQueueMax: Int = 1_000
    ) throws {
        socket = try Socket(kind, context: Context.shared())
        try socket.set(.linger, 0)
        try socket.set(.receiveQueueMax, receiveQueueMax)
        try socket.set(.sendQueueMax, sendQueueMax)
        if let routingID { try socket.setRoutingID(routingID) }
        try socket.connect(address)
    }

    func subscribe(_ prefix: String) throws { try socket.subscribe(prefix) }

    /// Waits for room, if need be.
    func send(_ parts: [[UInt8]]) async throws {
        for (index, part) in parts.enumerated() {
            while try socket.send(part, more: index < parts.count - 1) != .done { try await wait(forSending: true) }
        }
    }

    /// - Returns: whether there was room within the time.
    func trySend(_ part: [UInt8], withinMs timeoutMs: Int) async throws -> Bool {
        if try socket.send(part) == .done { return true }
        try await onThread { try self.socket.wait(forSending: true, timeoutMs: timeoutMs) }
        return try socket.send(part) == .done
    }

    /// What has arrived by now.
    func receiveReady() throws -> [Header] {
        var headers: [Header] = []
        while let header = try receive() { headers.append(header) }
        return headers
    }

    func receiveOne() async throws -> Header? {
        while true {
            if let header = try receive() { return header }
            try await wait(forSending: false)
        }
    }

    func answer(to parts: [[UInt8]]) async throws -> Header? {
        try await send(parts)
        return try await receiveOne()
    }

    private func wait(forSending: Bool) async throws {
        try await onThread { try self.socket.wait(forSending: forSending) }
    }

    private func receive() throws -> Header? {
        guard try socket.receive(message) == .done else { return nil }
        // Of a publication the frame is the second part.
        if message.hasMore { _ = try socket.receive(message) }
        return message.withBytes { bytes in
            guard case .frame(let header, let body) = Frame.parse(bytes) else { return nil }
            lastBody = [UInt8](body)
            return header
        }
    }
}

/// A TCP connection without any ZeroMQ.
final class RawConnection: Sendable {
    /// ZMTP 3.0, mechanism NULL.
    static let greeting: [UInt8] =
        [0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0x7F, 3, 0] + Array("NULL".utf8) + [UInt8](repeating: 0, count: 48)
    /// The command READY, of a DEALER.
    static let ready: [UInt8] = {
        let property = [11] + Array("Socket-Type".utf8) + [0, 0, 0, 6] + Array("DEALER".utf8)
        let body = [5] + Array("READY".utf8) + property
        return [0x04, UInt8(body.count)] + body
    }()

    private let descriptor: Int32

    init?(_ address: String) {
        guard let port = UInt16(address.split(separator: ":").last ?? "") else { return nil }
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = port.bigEndian
        target.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return nil }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Reads until the other side closes, which it must.
    func isClosedByPeer() async throws -> Bool {
        try await onThread {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = recv(self.descriptor, &buffer, buffer.count, 0)
                if count <= 0 { return true }
            }
        }
    }
}

/// A publisher that says what a test wants said.
///
/// Unchecked for the same reason as ``Probe``.
final class FakePublisher: @unchecked Sendable {
    let address: String
    private let socket: Socket
    private let message = Message()
    private let epoch: UInt64

    init(_ address: String, epoch: UInt64) throws {
        socket = try Socket(.xpub, context: Context.shared())
        try socket.set(.linger, 0)
        try socket.bind(address)
        self.address = address
        self.epoch = epoch
    }

    /// Waits for a subscription and welcomes it.
    func welcome() async throws {
        while try socket.receive(message) != .done {
            try await onThread { try self.socket.wait(forSending: false) }
        }
        let prefix = message.withBytes { Array($0.dropFirst()) }
        try send(.welcome, prefix, 0, publishedUnixMs: 1, body: [])
    }

    func publish(_ topic: String, _ sequence: UInt64) throws {
        try send(.publication, Array(topic.utf8), sequence, publishedUnixMs: 5, body: bytes(Int(sequence)))
    }

    private func send(
        _ kind: FrameKind, _ topic: [UInt8], _ sequence: UInt64, publishedUnixMs: Int64, body: [UInt8]
    ) throws {
        var header = Header(kind)
        header.publisher = [1]
        header.epoch = epoch
        header.topicSequence = sequence
        header.publishedUnixMs = publishedUnixMs
        _ = try socket.send(topic, more: true)
        _ = try socket.send(Frame(header, body: body).encoded)
    }
}

/// What of this process is in memory now.
func residentMiB() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return Int(line?.filter(\.isNumber) ?? "").map { $0 / 1_024 } ?? 0
}
