internal import Foundation

/// Finds out before the start whether an address is free, because libzmq says only "Address already in use".
enum PortCheck {
    /// - Returns: `nil` if it can be bound; else why not, for people.
    static func refusal(_ endpoint: SocketEndpoint) -> String? {
        switch endpoint {
        case .ip4(let host, let port):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return "is not an address" }
            return bindRefusal(AF_INET, &address, MemoryLayout<sockaddr_in>.size, port: port)
        case .ip6(let host, let port):
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            guard inet_pton(AF_INET6, host, &address.sin6_addr) == 1 else { return "is not an address" }
            return bindRefusal(AF_INET6, &address, MemoryLayout<sockaddr_in6>.size, port: port)
        case .ipc(let path):
            return pathRefusal(path)
        }
    }

    private static func bindRefusal<Address>(
        _ family: Int32, _ address: inout Address, _ size: Int, port: UInt16
    ) -> String? {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return "cannot be tried: \(reason(errno))" }
        defer { close(descriptor) }
        // As libzmq and FlyingFox do: connections that linger after a restart do not count.
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(size)) }
        }
        guard result != 0 else {
            // Two sockets with SO_REUSEADDR may both be bound; only listening shows the conflict.
            return listen(descriptor, 1) == 0 ? nil : inUse(port)
        }
        switch errno {
        case EADDRINUSE: return inUse(port)
        case EADDRNOTAVAIL: return "is not an address of this machine"
        case EACCES: return "needs privileges: ports below 1024 are kept for the system"
        default: return "cannot be bound: \(reason(errno))"
        }
    }

    private static func inUse(_ port: UInt16) -> String {
        "is in use by \(ListeningProcess.name(onPort: port) ?? "another process")"
    }

    /// The rest is the transport's to say: it makes the folder and sees whether somebody listens.
    private static func pathRefusal(_ path: String) -> String? {
        path.utf8.count <= 107 ? nil : "is longer than 107 bytes"
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// Who listens on a port, as far as this user may know.
enum ListeningProcess {
    /// - Returns: for example `redis-server (process 4711)`.
    static func name(onPort port: UInt16) -> String? {
        let inodes = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { Self.inodes(listeningOn: port, table: $0) }
        guard !inodes.isEmpty else { return nil }
        let targets = Set(inodes.map { "socket:[\($0)]" })
        let files = FileManager.default
        for process in (try? files.contentsOfDirectory(atPath: "/proc")) ?? [] where Int(process) != nil {
            let folder = "/proc/\(process)/fd"
            for descriptor in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
                guard let target = try? files.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)"),
                    targets.contains(target)
                else { continue }
                return "\(name(ofProcess: process)) (process \(process))"
            }
        }
        return nil
    }

    /// The kernel cuts the name in `comm` at 15 bytes: the command line has all of it, unless the process cleared it.
    static func name(ofProcess process: String) -> String {
        let command = ProcFile.text("/proc/\(process)/cmdline")?.prefix { $0 != "\0" } ?? ""
        // What a program makes of its own command line may be long, or hold anything.
        if let name = command.split(separator: "/").last, 1...64 ~= name.utf8.count,
            name.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        {
            return String(name)
        }
        return (ProcFile.text("/proc/\(process)/comm") ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func inodes(listeningOn port: UInt16, table: String) -> [Substring] {
        let text = ProcFile.text(table) ?? ""
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: " ")
            // Local address, state (0A is listening) and inode: proc_net_tcp(5).
            guard fields.count > 9, fields[3] == "0A", let colon = fields[1].lastIndex(of: ":"),
                UInt16(fields[1][fields[1].index(after: colon)...], radix: 16) == port
            else { return nil }
            return fields[9]
        }
    }
}
