import EnergyWire
import Foundation

/// Runs every contender's client in turn, several rounds, and compares medians of the same run.
struct Driver {
    private let rounds = 7
    private let loads = [
        (name: "1 in flight", load: Load(inFlight: 1, calls: 10_000)),
        (name: "100 in flight", load: Load(inFlight: 100, calls: 100_000)),
    ]

    func run() async throws {
        // The last two for comparison: the same server, called from Swift's shared pool; and another system.
        let contenders = [
            try Contender("C over libzmq", "echo-in-c", "", extra: [String(payloadBytes)]),
            try Contender("Gridtide", "bench-rpc", "gridtide-"),
            try Contender("Gridtide, pool", "bench-rpc", "gridtide-", client: "gridtide-pool-"),
            try Contender("Gridtide, CURVE", "bench-rpc", "gridtide-curve-"),
            try Contender("grpc-swift-2", "bench-rpc", "grpc-"),
        ]
        defer { for contender in contenders { contender.stop() } }

        var seconds: [String: [Double]] = [:]
        for round in 0..<rounds {
            for (name, load) in loads {
                for contender in contenders {
                    let taken = try contender.runClient(load)
                    seconds[contender.name + name, default: []].append(taken / Double(load.calls))
                }
            }
            if isatty(2) == 1 { FileHandle.standardError.write(Data("\rround \(round + 1) of \(rounds)".utf8)) }
        }
        if isatty(2) == 1 { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
        report(contenders.map(\.name), seconds.mapValues(median))
    }

    private var payloadBytes: Int { Sample.batch.encoded().count }

    private func report(_ names: [String], _ secondsPerCall: [String: Double]) {
        print("Events/Submit, one event of \(payloadBytes) bytes, tcp loopback, median of \(rounds) interleaved rounds")
        for (loadName, _) in loads {
            print("\n\(loadName)")
            for name in names {
                let value = secondsPerCall[name + loadName]!
                print(
                    "  " + name.padding(toLength: 16, withPad: " ", startingAt: 0)
                        + String(format: "%10.1f µs per call %12.0f calls/s", value * 1e6, 1 / value))
            }
        }
        func per(_ name: String, _ load: Int) -> Double { secondsPerCall[name + loads[load].name]! }
        print(
            String(
                format:
                    "\n{\"latency_vs_c\":%.3f,\"throughput_vs_c\":%.3f,\"throughput_vs_grpc_swift\":%.2f,"
                    + "\"curve_latency_vs_plain\":%.3f,\"curve_throughput_vs_plain\":%.3f}",
                per("Gridtide", 0) / per("C over libzmq", 0), per("C over libzmq", 1) / per("Gridtide", 1),
                per("grpc-swift-2", 1) / per("Gridtide", 1), per("Gridtide, CURVE", 0) / per("Gridtide", 0),
                per("Gridtide", 1) / per("Gridtide, CURVE", 1)))
    }

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// One implementation: its server, which runs as long as this, and how its clients are started.
final class Contender {
    let name: String
    private let program: String
    private let clientRole: String
    private let extra: [String]
    private var server: Process?
    private var address = ""

    /// Starts the server, at any free port.
    init(_ name: String, _ program: String, _ role: String, client: String? = nil, extra: [String] = []) throws {
        self.name = name
        self.program = program
        clientRole = client ?? role
        self.extra = extra
        let (process, output) = try start(["\(role)server"])
        server = process
        // Its first line says where it listens.
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte != Data("\n".utf8) {
            line += byte
        }
        address = String(decoding: line, as: UTF8.self)
        guard !address.isEmpty else { throw Driver.Failure(description: "the server of \(name) did not start") }
    }

    func stop() { server?.terminate() }

    /// - Returns: the seconds that the load took.
    func runClient(_ load: Load) throws -> Double {
        let (process, output) = try start(
            ["\(clientRole)client", address] + extra + [String(load.inFlight), String(load.calls)])
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard let seconds = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Driver.Failure(description: "the client of \(name) ended without a result: \(text)")
        }
        return seconds
    }

    private func start(_ arguments: [String]) throws -> (Process, Pipe) {
        let process = Process()
        process.executableURL = Bundle.main.executableURL!.deletingLastPathComponent().appending(path: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        // Never written: its end tells the process that this one is gone.
        process.standardInput = Pipe()
        try process.run()
        return (process, output)
    }
}

extension Driver {
    struct Failure: Error, CustomStringConvertible { let description: String }
}
