import Foundation

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
