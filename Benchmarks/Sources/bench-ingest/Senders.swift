import EnergyModel
import EnergyTransport
import EnergyWire
import Foundation
import Synchronization
import ZeroMQTransport

/// Each sends its next batch when the last was acknowledged. Prints the events acknowledged per second.
struct Senders {
    let clients: [ZeroMQClient]
    let batch: Int

    func flood(seconds: Double) async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let deadline = start + .seconds(seconds)
        let events = try await withThrowingTaskGroup(of: Int.self) { group in
            for (number, client) in clients.enumerated() {
                group.addTask {
                    var (car, events) = (Car(number: number), 0)
                    while clock.now < deadline {
                        let result = try await client.call(Methods.submitEvents, car.batch(batch))
                        guard result.accepted == batch else { throw Refused() }
                        events += batch
                    }
                    return events
                }
            }
            return try await group.reduce(0, +)
        }
        print(Double(events) / ((clock.now - start) / .seconds(1)))
    }
}

struct Refused: Error {}

/// Sends at a steady rate, whether earlier batches were answered or not, and prints the median and the 99th percentile
/// of the milliseconds from when a batch was due to when it was acknowledged: being late counts.
struct Pace {
    let client: ZeroMQClient
    let eventsPerSecond: Double
    let batch: Int

    func run(seconds: Double) async throws {
        let clock = ContinuousClock()
        let interval = Double(batch) / eventsPerSecond
        let count = Int(seconds / interval)
        let cars = Mutex((0..<64).map { Car(number: $0) })
        let start = clock.now
        let latencies = try await withThrowingTaskGroup(of: Double.self) { group in
            var latencies: [Double] = []
            // A car's batches must arrive in order: 64 cars in turn, each long answered when its turn comes again.
            for number in 0..<count {
                let due = start + .seconds(Double(number) * interval)
                if due > clock.now { try await Task.sleep(until: due, tolerance: .zero, clock: clock) }
                let batch = cars.withLock { $0[number % 64].batch(self.batch) }
                group.addTask {
                    let result = try await client.call(Methods.submitEvents, batch)
                    guard result.accepted == self.batch else { throw Refused() }
                    return (clock.now - due) / .milliseconds(1)
                }
            }
            for try await latency in group { latencies.append(latency) }
            return latencies.sorted()
        }
        print(latencies[latencies.count / 2], latencies[latencies.count * 99 / 100])
    }
}
