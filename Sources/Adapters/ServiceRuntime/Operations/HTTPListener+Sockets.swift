internal import FlyingSocks
internal import Foundation

extension HTTPListener {
    static func listen(_ address: SocketEndpoint) throws -> Socket {
        switch address {
        case .ip4(let host, let port): return try listen(.inet(ip4: host, port: port))
        case .ip6(let host, let port): return try listen(.inet6(ip6: host, port: port))
        case .ipc(let path):
            removeLeftOver(path)
            return try listen(.unix(path: path))
        }
    }

    private static func listen(_ address: some FlyingSocks.SocketAddress) throws -> Socket {
        let socket = try Socket(domain: Int32(address.family), type: .stream)
        keepFromChildren(socket)
        do {
            try socket.setValue(true, for: .localAddressReuse)
            try socket.bind(to: address)
            try socket.listen()
            return socket
        } catch {
            try? socket.close()
            throw error
        }
    }

    /// The socket of a process that ended stays in its folder, and the next one could not bind there.
    private static func removeLeftOver(_ path: String) {
        guard let socket = try? Socket(domain: AF_UNIX, type: .stream) else { return }
        defer { try? socket.close() }
        do { try socket.connect(to: .unix(path: path)) } catch SocketError.failed(_, ECONNREFUSED, _) {
            unlink(path)
        } catch {}
    }

    /// A program started by this process would else hold connections open that are closed here.
    static func keepFromChildren(_ socket: Socket) { _ = fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC) }

    /// A connection that is gone before it was accepted, and a moment without descriptors, are no end of the listener.
    static func next(_ listening: AsyncSocket, _ clock: any Clock<Duration>) async throws -> AsyncSocket {
        let passing = [ECONNABORTED, EPROTO, EMFILE, ENFILE, ENOBUFS, ENOMEM]
        while true {
            do { return try await listening.accept() } catch SocketError.failed(_, let code, _)
                where passing.contains(code)
            {
                try await clock.sleep(for: pause)
            }
        }
    }
}
