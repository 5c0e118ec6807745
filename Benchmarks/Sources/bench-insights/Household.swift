import EnergyModel
import EnergyStore
import Foundation
import Insights

/// Homes whose devices report every quarter of an hour, the terms they use energy by, and what peers are told of both.
struct Household {
    static let quarter: Int64 = 900_000
    static let timeZone = TimeZone(identifier: "America/Los_Angeles") ?? .gmt
    /// 2021-01-01, local.
    static let start = Timestamp(unixMilliseconds: 1_609_488_000_000)
    static let devicesPerVenue = 4
    static let eventsPerDay = 96

    let deviceCount: Int
    let days: Int

    func venueID(_ device: Int) -> UUID {
        let number = UInt8(device / Self.devicesPerVenue)
        return UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, number))
    }

    func deviceID(_ device: Int) -> String { "car-\(device)" }

    /// One session a day, its events a quarter of an hour apart, away from the full quarters.
    func events(_ device: Int, day: Int) -> [(time: Timestamp, energy: Int64)] {
        var random = Random(seed: UInt64(device) << 32 | UInt64(day))
        let phase = Int64(device % 97) * 9_000 + 1_000
        let begin = Self.start.advanced(byMilliseconds: Int64(day) * .millisecondsPerDay + phase)
        var energy: Int64 = 0
        return (0..<Self.eventsPerDay).map { index in
            if index > 0 { energy += 1_500_000 + Int64(random.next() % 300_000) }
            // Almost a day: the next session begins after it.
            return (begin.advanced(byMilliseconds: Int64(index) * (Self.quarter - 1_000)), energy)
        }
    }

    func load(_ device: Int, day: Int) -> [Event] {
        let session = Random.uuid(UInt64(device) << 32 | UInt64(day))
        return events(device, day: day).enumerated().map { index, point in
            let state: Session.State = index == 0 ? .begin : index == Self.eventsPerDay - 1 ? .end : .active
            let load = VehicleLoad(
                session: Session(id: session, state: state, wasFollowingGuidance: true, guidanceToken: session),
                stateOfCharge: 50, direction: .imported, powerMilliwatts: 7_200_000, energyMilliwattHours: point.energy)
            return Event(
                id: Random.uuid(UInt64(device) << 40 | UInt64(day) << 16 | UInt64(index)), timestamp: point.time,
                venueID: venueID(device), device: Device(id: deviceID(device), name: "Car", kind: .electricVehicle),
                content: .vehicleLoad(load))
        }
    }

    /// Pages as ``LogFollower`` hands them over: about 8,000 events of one partition, in the order of time.
    func pages(_ body: ([LogRecord]) async throws -> Void) async throws {
        let partitions = Dictionary(grouping: 0..<deviceCount) { LogPartition.of(venueID: venueID($0)) }
        for (partition, devices) in partitions.sorted(by: { $0.key < $1.key }) {
            var (page, size, sequence): ([LogRecord], Int, UInt64) = ([], 0, 0)
            for day in 0..<days {
                let events = devices.map { load($0, day: day) }
                // Each device submits what happened in an hour.
                for hour in 0..<Self.eventsPerDay / 4 {
                    for events in events {
                        sequence += 1
                        let part = Array(events[hour * 4..<hour * 4 + 4])
                        page.append(
                            LogRecord(
                                partition: partition, sequence: sequence, venueID: part[0].venueID,
                                received: part[3].timestamp, principal: "bench", events: part))
                        size += part.count
                    }
                    guard size >= 8_000 else { continue }
                    try await body(page)
                    (page, size) = ([], 0)
                }
            }
            if !page.isEmpty { try await body(page) }
        }
    }

    /// By the hour: carbon with a daily and a yearly course, a tariff of three parts.
    static func terms(_ hour: Timestamp) -> SignalInterval {
        let local = hour.advanced(byMilliseconds: timeZone.offsetMilliseconds(at: hour))
        let hourOfDay = Int(local.unixMilliseconds / .millisecondsPerHour % 24)
        var random = Random(seed: UInt64(bitPattern: hour.unixMilliseconds))
        let carbon = 250 + abs(hourOfDay - 13) * 18 + Int(random.next() % 60)
        let (peak, price): (TariffPeak, Int64) =
            switch hourOfDay {
            case 16..<21: (.onPeak, 512_340)
            case 0..<8: (.superOffPeak, 187_650)
            default: (.offPeak, 261_110)
            }
        return SignalInterval(
            interval: Interval(start: hour, milliseconds: .millisecondsPerHour), carbonIntensity: Double(carbon),
            kind: .averageLifecycle, price: Price(microsPerKilowattHour: price), currency: "USD",
            cleanliness: carbon < 350 ? .cleaner : .lessClean, peak: peak, isEstimated: false, source: "bench")
    }
}

/// Answers at once what a guidance-publisher would.
struct Publisher: SignalSource, VenueSource {
    func history(venueID: UUID, interval: Interval) async throws(EnergyError) -> [SignalInterval] {
        stride(from: interval.start.unixMilliseconds, to: interval.end.unixMilliseconds, by: 3_600_000).map {
            Household.terms(Timestamp(unixMilliseconds: $0))
        }
    }

    func venue(id: UUID) async throws(EnergyError) -> Venue {
        Venue(id: id, name: "Home", timeZone: Household.timeZone, region: "CISO", changed: Household.start)
    }
}

/// SplitMix64.
struct Random {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    static func uuid(_ seed: UInt64) -> UUID {
        var random = Random(seed: seed ^ 0x5EED)
        var raw: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &raw) { bytes in
            bytes.storeBytes(of: random.next(), as: UInt64.self)
            bytes.storeBytes(of: random.next(), toByteOffset: 8, as: UInt64.self)
        }
        return UUID(uuid: raw)
    }
}
