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
        let directory = try FileManager.default.url(
            for: .itemReplacementDirectory, in: .userDomainMask,
            appropriateFor: URL(filePath: NSTemporaryDirectory()), create: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        // Ports below the ephemeral range, so that a client cannot connect to itself.
        let contenders = [
            Contender("C over libzmq", "echo-in-c", "", "tcp://127.0.0.1:17301", [String(payloadBytes)]),
            Contender("Gridtide", "bench-rpc", "gridtide-", "tcp://127.0.0.1:17302", []),
            Contender("grpc-swift-2", "bench-rpc", "grpc-", "17303", []),
        ]
        let servers = try contenders.map { try $0.startServer() }
        defer { servers.forEach { $0.terminate() } }

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
                    "\n{\"latency_vs_c\":%.3f,\"throughput_vs_c\":%.3f,\"throughput_vs_grpc_swift\":%.2f}",
                per("Gridtide", 0) / per("C over libzmq", 0), per("C over libzmq", 1) / per("Gridtide", 1),
                per("grpc-swift-2", 1) / per("Gridtide", 1)))
    }

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// One implementation: how its server and its client are started.
struct Contender {
    let name: String
    private let program: String
    private let role: String
    private let address: String
    private let extra: [String]

    init(_ name: String, _ program: String, _ role: String, _ address: String, _ extra: [String]) {
        self.name = name
        self.program = program
        self.role = role
        self.address = address
        self.extra = extra
    }

    func startServer() throws -> Process {
        let (process, output) = try start(["\(role)server", address])
        // Its first line says that it listens.
        guard let line = try output.fileHandleForReading.read(upToCount: 6), line.starts(with: Data("ready".utf8)) else {
            throw Failure(description: "\(name): the server did not start")
        }
        return process
    }

    func runClient(_ load: Load) throws -> Double {
        let (process, output) = try start(["\(role)client", address] + extra + [String(load.inFlight), String(load.calls)])
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard let seconds = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Failure(description: "\(name): the client printed \(text)")
        }
        return seconds
    }

    private func start(_ arguments: [String]) throws -> (Process, Pipe) {
        let process = Process()
        process.executableURL = Bundle.main.executableURL!.deletingLastPathComponent().appending(path: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        return (process, output)
    }

    struct Failure: Error, CustomStringConvertible { let description: String }
}
