import Foundation
import Synchronization

/// What the tests take from the machine.
enum Machine {
    /// Where the executables are: beside the tests.
    static let executables: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (tests as NSString).deletingLastPathComponent
    }()

    /// The checkout.
    static let package: String = {
        var url = URL(filePath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url.path
    }()

    static let isCI = ProcessInfo.processInfo.environment["CI"].map { !$0.isEmpty && $0 != "false" } ?? false

    private static let given = Mutex<Set<Int>>([])

    /// A port of 127.0.0.1 that nobody listens on, and that no other test gets.
    static func freePort() throws -> Int {
        for _ in 0..<100 {
            let port = try unusedPort()
            if given.withLock({ $0.insert(port).inserted }) { return port }
        }
        throw HarnessError("no free port")
    }

    private static func unusedPort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw HarnessError("no free port: \(String(cString: strerror(errno)))") }
        return Int(address.sin_port.bigEndian)
    }

    /// A folder of its own, with a short path: sockets in it must stay under 108 bytes.
    static func temporaryFolder() throws -> String {
        var template = Array("/tmp/gridtide-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw HarnessError("no folder in /tmp") }
        return template.withUnsafeBufferPointer { String(cString: $0.baseAddress.unsafelyUnwrapped) }
    }

    /// Which processes run one of the executables now.
    static func running(in folder: String) -> [pid_t] {
        let files = FileManager.default
        return ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { entry in
            guard let id = pid_t(entry), id != getpid(),
                let executable = try? files.destinationOfSymbolicLink(atPath: "/proc/\(entry)/exe"),
                executable.hasPrefix(folder + "/")
            else { return nil }
            return id
        }
    }
}
