import Foundation

/// Round trips and throughput of `Events/Submit` with one event: Gridtide against plain C over libzmq and grpc-swift-2.
///
/// Without arguments it is the driver, which starts itself and `echo-in-c` as servers and clients, in turn.
@main
struct BenchRPC {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if !arguments.isEmpty { endWithStandardInput() }
        do {
            try await run(arguments)
        } catch {
            FileHandle.standardError.write(Data("bench-rpc: \(error)\n".utf8))
            exit(1)
        }
    }

    /// The driver holds the other end: its servers and clients do not outlive it, however it ends.
    private static func endWithStandardInput() {
        Thread.detachNewThread {
            while let bytes = try? FileHandle.standardInput.read(upToCount: 1_024), !bytes.isEmpty {}
            exit(0)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        switch arguments.first {
        case nil: try await Driver().run()
        case "gridtide-server": try await GridtidePeer.serve(hasKeys: false)
        case "gridtide-curve-server": try await GridtidePeer.serve(hasKeys: true)
        case "gridtide-client", "gridtide-curve-client":
            try await GridtidePeer.call(arguments[1], Load(arguments.dropFirst(2)), onPool: false)
        case "gridtide-pool-client":
            try await GridtidePeer.call(arguments[1], Load(arguments.dropFirst(2)), onPool: true)
        case "grpc-server": try await GRPCPeer.serve()
        case "grpc-client": try await GRPCPeer.call(port: Int(arguments[1])!, Load(arguments.dropFirst(2)))
        default:
            FileHandle.standardError.write(Data("usage: bench-rpc (it starts its own servers and clients)\n".utf8))
            exit(64)
        }
    }
}

/// What a client is asked to do.
struct Load {
    let inFlight: Int
    let calls: Int

    init(inFlight: Int, calls: Int) {
        self.inFlight = inFlight
        self.calls = calls
    }

    init(_ arguments: ArraySlice<String>) {
        self.init(inFlight: Int(arguments[arguments.startIndex])!, calls: Int(arguments[arguments.startIndex + 1])!)
    }

    /// Runs `call` so that `inFlight` of them are under way at any time, first as a warm-up, and prints the seconds.
    func measure(_ call: @escaping @Sendable () async throws -> Void) async throws {
        try await run(calls / 10 + 1, call)
        let clock = ContinuousClock()
        let start = clock.now
        try await run(calls, call)
        let seconds = (clock.now - start) / .seconds(1)
        print(seconds)
    }

    private func run(_ calls: Int, _ call: @escaping @Sendable () async throws -> Void) async throws {
        guard inFlight > 1 else {
            for _ in 0..<calls { try await call() }
            return
        }
        try await withThrowingTaskGroup { group in
            for lane in 0..<inFlight {
                let share = calls / inFlight + (lane < calls % inFlight ? 1 : 0)
                group.addTask { for _ in 0..<share { try await call() } }
            }
            try await group.waitForAll()
        }
    }
}
