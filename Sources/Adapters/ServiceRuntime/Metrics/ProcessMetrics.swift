internal import Foundation

/// What the kernel says about this process, under the names that every Prometheus client uses.
enum ProcessMetrics {
    static func exposition() -> String {
        var text = ""
        func add(_ name: String, _ type: String, _ help: String, _ value: Double?) {
            guard let value else { return }
            text += PrometheusText.header(name, type: type, help: help) + "\(name) \(PrometheusText.number(value))\n"
        }
        let stat = statFields()
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        add(
            "process_resident_memory_bytes", "gauge", "Resident memory in bytes.",
            stat.flatMap { Double($0[21]) }.map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) })
        add(
            "process_cpu_seconds_total", "counter", "User and system CPU time in seconds.",
            stat.flatMap { fields in
                guard let user = Double(fields[11]), let system = Double(fields[12]) else { return nil }
                return (user + system) / ticks
            })
        add(
            "process_start_time_seconds", "gauge", "Start time in seconds since 1970.",
            stat.flatMap { fields in
                guard let sinceBoot = Double(fields[19]), let boot = bootTime() else { return nil }
                return boot + sinceBoot / ticks
            })
        add(
            "process_open_fds", "gauge", "Open file descriptors.",
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { Double($0.count) })
        return text
    }

    /// How long ago the kernel started this process; `nil` where /proc is not there.
    static var millisecondsSinceStart: Int? {
        guard let started = statFields().flatMap({ Double($0[19]) }),
            let text = ProcFile.text("/proc/uptime"),
            let uptime = text.split(separator: " ").first.flatMap({ Double($0) })
        else { return nil }
        return Int((uptime - started / Double(sysconf(Int32(_SC_CLK_TCK)))) * 1_000)
    }

    /// The fields of /proc/self/stat from the third (state) on: the second, the name, may hold spaces.
    private static func statFields() -> [Substring]? {
        guard let text = ProcFile.text("/proc/self/stat"),
            let close = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: close)...].split(separator: " ")
        return fields.count >= 22 ? fields : nil
    }

    private static func bootTime() -> Double? {
        guard let text = ProcFile.text("/proc/stat") else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("btime ") }
        return line.flatMap { Double($0.dropFirst(6)) }
    }
}
