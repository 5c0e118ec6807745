import Foundation
import Testing

@testable import ServiceRuntime

/// A datagram socket that stands in for systemd.
private final class Supervisor {
    let descriptor: Int32

    init(path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(descriptor, $0, socklen_t(2 + name.count))
            }
        }
    }

    deinit { close(descriptor) }

    /// A datagram between two sockets of one machine is there when `sendto` has returned.
    func receive() -> String {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}

@Suite struct SocketTests {
    @Test func `systemd is told over a path and over an abstract name`() throws {
        let folder = try TemporaryFolder()
        for path in ["\(folder.path)/notify", "@gridtide-\(UUID().uuidString)"] {
            let supervisor = Supervisor(path: path)
            let notify = try #require(NotifySocket(["NOTIFY_SOCKET": path]))
            notify.ready()
            #expect(supervisor.receive() == "READY=1\nMAINPID=\(getpid())")
            notify.stopping()
            #expect(supervisor.receive() == "STOPPING=1")
            notify.alive()
            #expect(supervisor.receive() == "WATCHDOG=1")
        }
    }

    @Test func `nobody is told when nobody asked, or asked with nonsense`() {
        #expect(NotifySocket([:]) == nil)
        for path in ["", "@", "relative", "/" + String(repeating: "x", count: 200), "vsock:2:1"] {
            #expect(NotifySocket(["NOTIFY_SOCKET": path]) == nil)
        }
        NotifySocket(["NOTIFY_SOCKET": "/nowhere/at/all"])?.ready()
    }

    @Test func `the watchdog is fed at half its time, if it watches this process`() {
        let base = ["NOTIFY_SOCKET": "@x"]
        func interval(_ more: [String: String]) -> Duration? {
            NotifySocket(base.merging(more) { $1 }, processID: 7)?.watchdogInterval
        }
        #expect(interval(["WATCHDOG_USEC": "20000000"]) == .seconds(10))
        #expect(interval(["WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "7"]) == .seconds(10))
        #expect(interval(["WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "8"]) == nil)
        #expect(interval(["WATCHDOG_USEC": "soon"]) == nil)
        #expect(interval([:]) == nil)
    }

    @Test func `a port in use is named with the process that has it`() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(descriptor, $0, length)
                _ = listen(descriptor, 1)
                _ = getsockname(descriptor, $0, &length)
            }
        }
        let port = UInt16(bigEndian: address.sin_port)
        let refusal = try #require(PortCheck.refusal(.ip4("127.0.0.1", port)))
        #expect(refusal.hasPrefix("is in use by "))
        #expect(refusal.hasSuffix("(process \(getpid()))"))
        // The kernel's own name of a process is cut: this one's is longer than 15 bytes.
        let name = (CommandLine.arguments[0] as NSString).lastPathComponent
        #expect(ListeningProcess.name(ofProcess: "\(getpid())") == name)
        #expect(PortCheck.refusal(.ip4("192.0.2.1", 7_400)) == "is not an address of this machine")
        #expect(PortCheck.refusal(.ipc("/" + String(repeating: "x", count: 107))) == "is longer than 107 bytes")
    }

    @Test(arguments: [
        ("tcp://127.0.0.1:7400", "tcp://127.0.0.1:7400", true), ("tcp://localhost:1", "tcp://127.0.0.1:1", true),
        ("tcp://[::1]:7400", "tcp://[::1]:7400", true), ("tcp://*:7400", "tcp://0.0.0.0:7400", false),
        ("tcp://192.168.1.9:7400", "tcp://192.168.1.9:7400", false), ("ipc:///run/x", "ipc:///run/x", true),
    ])
    func `addresses are understood, and which of them stay on this machine`(
        text: String, meaning: String, isLocal: Bool
    ) throws {
        let endpoint = try #require(SocketEndpoint(text))
        #expect("\(endpoint)" == meaning)
        #expect(endpoint.isLocal == isLocal)
    }

    @Test(arguments: ["", "tcp://", "tcp://host:1", "tcp://127.0.0.1", "tcp://127.0.0.1:99999", "udp://127.0.0.1:1"])
    func `what is no address is refused`(text: String) {
        #expect(SocketEndpoint(text) == nil)
    }
}
