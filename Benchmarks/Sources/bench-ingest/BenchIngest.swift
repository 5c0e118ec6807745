import EnergyModel
import EnergyTransport
import EnergyWire
import Foundation
import ZeroMQTransport

/// The parts of `ingest.py` that speak Gridtide: senders of events, and a stand-in for the guidance publisher.
@main
struct BenchIngest {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        /// Of one replica, or of several with commas between them.
        var requestAddresses: [String] { arguments[1].split(separator: ",").map(String.init) }
        switch (arguments.first, arguments.count) {
        case ("guidance", 3): try await StandInPublisher.serve(arguments[1], arguments[2])
        case ("batches", 5):
            // One connection, many requests in flight: what an aggregator of many devices does.
            let client = try ZeroMQClient(requestAddresses: requestAddresses, publishAddresses: [])
            let count = Int(arguments[2])!
            try await Senders(clients: Array(repeating: client, count: count), batch: Int(arguments[4])!)
                .flood(seconds: Double(arguments[3])!)
        case ("clients", 5):
            // One connection each: what devices do.
            let clients = try (0..<Int(arguments[2])!).map { _ in
                try ZeroMQClient(requestAddresses: requestAddresses, publishAddresses: [])
            }
            try await Senders(clients: clients, batch: Int(arguments[4])!).flood(seconds: Double(arguments[3])!)
        case ("paced", 5):
            let client = try ZeroMQClient(requestAddresses: requestAddresses, publishAddresses: [])
            try await Pace(client: client, eventsPerSecond: Double(arguments[2])!, batch: Int(arguments[4])!)
                .run(seconds: Double(arguments[3])!)
        default:
            FileHandle.standardError.write(Data("usage: see Benchmarks/ingest.py\n".utf8))
            exit(64)
        }
    }
}

/// Knows every token: it is of the venue with the same id.
enum StandInPublisher {
    static func serve(_ requests: String, _ publications: String) async throws {
        let server = try ZeroMQServer(
            requestAddress: requests, publishAddress: publications, publisherID: Array(repeating: 1, count: 16),
            epoch: 1)
        var methods = MethodTable()
        methods.on(Methods.resolveToken) { (reference, _) async throws(EnergyError) in
            ResolvedToken(
                token: reference.token, venueID: reference.token, action: .shift,
                issued: Timestamp(unixMilliseconds: 1_700_000_000_000), principals: ["local"])
        }
        server.serve(methods)
        print("ready")
        fflush(nil)
        while !Task.isCancelled { try await Task.sleep(for: .seconds(3600)) }
    }
}

/// Makes the events of one car, one session after the other.
struct Car {
    private var random: SystemSeededRandom
    private let venueID: UUID
    private var session: UUID
    private var step: Int64 = 0
    private let start: Int64

    init(number: Int) {
        random = SystemSeededRandom(number: number)
        venueID = random.uuid()
        session = random.uuid()
        start = Int64(Date().timeIntervalSince1970 * 1000) - 86_400_000
    }

    mutating func batch(_ count: Int) -> EventBatch { EventBatch(events: (0..<count).map { _ in next() }) }

    /// 7 kW; sessions of 100 events, one each 10 s.
    private mutating func next() -> Event {
        let place = step % 100
        if place == 0 { session = random.uuid() }
        defer { step += 1 }
        return Event(
            id: random.uuid(), timestamp: Timestamp(unixMilliseconds: start + step * 10),
            venueID: venueID, device: Device(id: "car-01", name: "Car", kind: .electricVehicle),
            content: .vehicleLoad(
                VehicleLoad(
                    session: Session(
                        id: session, state: place == 0 ? .begin : place == 99 ? .end : .active,
                        wasFollowingGuidance: true, guidanceToken: venueID),
                    stateOfCharge: 55, direction: .imported, powerMilliwatts: 7_000_000,
                    energyMilliwattHours: place * 19)))
    }
}

/// Fast ids: making them must not be what is measured.
struct SystemSeededRandom {
    private var state: UInt64

    init(number: Int) { state = UInt64.random(in: 0 ... .max) &+ UInt64(number) }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func uuid() -> UUID {
        var halves = (next(), next())
        return withUnsafeBytes(of: &halves) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }
}
