import EnergyTestSupport
import Foundation
import Testing

extension EndToEnd {
    struct Hosts {
        /// Whether this process may make networks: it is root, and not in a container that forbids it.
        private static let mayMakeNetworks: Bool = {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/unshare")
            process.arguments = ["--net", "--mount", "ip", "link", "add", "lan", "type", "bridge"]
            process.standardError = FileHandle.nullDevice
            guard getuid() == 0, (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            if process.terminationStatus == 0 { return true }
            print("skipped: several hosts, for this machine does not let root make networks")
            return false
        }()

        /// One fault of each kind of `make hosts`. A machine that also builds takes its time.
        @Test(
            .enabled(if: PythonScript.isInstalled, PythonScript.reason),
            .enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"),
            .enabled(if: mayMakeNetworks, "needs to be root, and to make networks"), .timeLimit(.minutes(8)))
        func `replicas on three hosts lose, double and refuse nothing, whatever is killed, cut off or paused`()
            async throws
        {
            try await PythonScript.run("hosts.py", ["FAULTS": "1", "DEADLINE": "60"])
        }
    }
}
