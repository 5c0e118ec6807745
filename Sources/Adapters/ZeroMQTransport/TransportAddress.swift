internal import EnergyTransport
internal import Glibc

/// Which addresses are allowed without keys, and what is checked before one is bound.
enum TransportAddress {
    /// Loopback, ipc and inproc need no keys. Everything else would let strangers in.
    ///
    /// - Throws: `invalidArgument`, naming the address.
    static func check(_ address: String, hasKeys: Bool) throws(CallFailure) {
        if address.hasPrefix("inproc://") { return }
        if address.hasPrefix("ipc://") {
            // It has no file, and so no permissions.
            guard !address.hasPrefix("ipc://@") else {
                throw CallFailure(
                    .invalidArgument,
                    "\(address) is an abstract socket, which every user of this machine can reach; use ipc:///PATH")
            }
            return
        }
        let place = TCPAddress(address)
        guard ServiceName.isOne(address) || place != nil else {
            throw CallFailure(
                .invalidArgument, "\(address): addresses are tcp://127.0.0.1:<port>, srv://<name> or ipc://<path>")
        }
        guard hasKeys || place?.isLoopback == true || place?.host == "lo" else {
            throw CallFailure(
                .invalidArgument,
                "\(address) can be reached from other machines, which needs keys; make them with: "
                    + "energyctl keys init")
        }
    }

    /// Makes the socket's directory if need be, and refuses one that other users may enter: a socket file has no other
    /// protection. Also refuses an address somebody listens on, which libzmq would take away without a word.
    static func prepareToBind(_ address: String, hasKeys: Bool) throws(CallFailure) {
        try check(address, hasKeys: hasKeys)
        guard address.hasPrefix("ipc://"), case let path = String(address.dropFirst("ipc://".count)),
            path != "*"
        else { return }
        try prepareDirectory(of: path, address)
        guard !isListening(path) else { throw inUse(address) }
    }

    static func inUse(_ address: String) -> CallFailure {
        CallFailure(.failedPrecondition, "\(address) is in use by another process")
    }

    private static func prepareDirectory(of path: String, _ address: String) throws(CallFailure) {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        guard !directory.isEmpty else { throw CallFailure(.invalidArgument, "\(address) is in the root directory") }
        if mkdir(directory, 0o700) == 0 { return }
        guard errno == EEXIST else {
            throw CallFailure(
                .failedPrecondition,
                "\(address): the directory \(directory) cannot be made: \(String(cString: strerror(errno)))")
        }
        var status = stat()
        guard stat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw CallFailure(.failedPrecondition, "\(address): \(directory) is no directory that can be read")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw CallFailure(
                .failedPrecondition,
                "\(address): other users may enter \(directory); use a folder of its own, that only its owner may enter "
                    + "(mode 700)")
        }
    }

    private static func isListening(_ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isShort = withUnsafeMutableBytes(of: &address.sun_path) { target in
            guard path.utf8.count < target.count else { return false }
            target.copyBytes(from: path.utf8)
            return true
        }
        // libzmq refuses a path that is too long with an error of its own.
        guard isShort else { return false }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
