import EnergyModel
import EnergyPlanning
import Foundation

/// Recorded sessions at a workplace with what drivers said, planned at recorded prices and emissions.
///
/// Sessions: ACN-Data (Lee, Li, Low, "ACN-Data", e-Energy 2019). Emissions: marginal, of the garage's utility, at the same
/// hours. Prices: ERCOT's day ahead at the same local hours; another region, but a real market's days.
enum SessionReplay {
    private struct Session {
        var arrival: Int64
        var departure: Int64
        var said: Int64
        var energy: Double
    }

    /// kW: 32 A at 208 V, as the stations there.
    private static let power = 6.656
    private static let hour: Int64 = 3_600_000

    static func report(_ path: String) throws {
        guard let sessions = try? read(path) else {
            print("recorded sessions: \(path) is not there; skipped")
            return
        }
        let folder = URL(filePath: path).deletingLastPathComponent().deletingLastPathComponent()
        let prices = table(folder.appending(path: "ercot-dayahead-price-2021/ercot_dam_spp_2021.csv"), price)
        let emissions = table(folder.appending(path: "caiso-pge-moer-5min/SCE_moer_hourly_mean_2020-09_2021-08.csv")) {
            guard let time = instant($0[0]), let value = Double($0[1]) else { return nil }
            return (time / hour, value)
        }
        replay(sessions, "prices ($)", prices)
        replay(sessions, "emissions (kg)", emissions)
    }

    // MARK: Replay

    private static func replay(_ sessions: [Session], _ name: String, _ rates: [Int64: Double]) {
        var (plugIn, planned, foresight) = (0.0, 0.0, 0.0)
        var (count, leftEarly, missed) = (0, 0, 0)
        for session in sessions {
            guard let now = cost(of: atOnce(session, from: session.arrival), rates),
                let best = plan(session, until: session.departure, rates), let ideal = cost(of: best, rates),
                let told = plan(session, until: session.said, rates)
            else { continue }
            // What is missing when the driver said to leave but stays is charged at once from then on.
            let before = cut(told, at: min(session.said, session.departure))
            let rest = Session(
                arrival: session.said, departure: session.departure, said: session.departure,
                energy: session.energy - energy(of: before))
            let all =
                before + (rest.energy > 1e-6 && rest.arrival < rest.departure ? atOnce(rest, from: rest.arrival) : [])
            if energy(of: all) < session.energy - 0.001 {
                if session.departure < session.said { leftEarly += 1 } else { missed += 1 }
                continue
            }
            guard let paid = cost(of: all, rates) else { continue }
            count += 1
            plugIn += now
            planned += paid
            foresight += ideal
        }
        func share(_ value: Double) -> String { "\((value / max(1e-9, abs(plugIn)) * 100).rounded(to: 1)) %" }
        print(
            "recorded sessions, \(name): \(count) sessions, plug-in \(plugIn.rounded(to: 2)), planned by what drivers said "
                + "\(planned.rounded(to: 2)) (saves \(share(plugIn - planned))), with perfect foresight "
                + "\(foresight.rounded(to: 2)) (\(share(plugIn - foresight))); regret \(share(planned - foresight)); "
                + "\(leftEarly) left before they said and had less, \(missed) missed energy otherwise")
    }

    private typealias Part = (start: Int64, end: Int64)

    private static func plan(_ session: Session, until end: Int64, _ rates: [Int64: Double]) -> [Part]? {
        guard end > session.arrival else { return [] }
        var (slots, time): ([PlanSlot], Int64) = ([], session.arrival)
        while time < end {
            let next = min(end, (time / Days.quarter + 1) * Days.quarter)
            guard let rate = rates[time / hour],
                let interval = Interval(
                    start: Timestamp(unixMilliseconds: time), end: Timestamp(unixMilliseconds: next))
            else { return nil }
            slots.append(PlanSlot(interval: interval, importPrice: rate))
            time = next
        }
        let need = EnergyNeed(
            goals: [.init(by: Timestamp(unixMilliseconds: end), energy: session.energy)], powerMin: power,
            powerMax: power, partialSlots: .any)
        guard
            let plan = try? Days.planner.plan(
                PlanProblem(slots: slots, loads: [PlannedLoad(name: "car", need: .energy(need))]))
        else { return nil }
        return plan.loads[0].runs.map { ($0.interval.start.unixMilliseconds, $0.interval.end.unixMilliseconds) }
    }

    private static func atOnce(_ session: Session, from start: Int64) -> [Part] {
        [(start, min(session.departure, start + Int64((session.energy / power * Double(hour)).rounded())))]
    }

    private static func cut(_ parts: [Part], at end: Int64) -> [Part] {
        parts.filter { $0.start < end }.map { ($0.start, min($0.end, end)) }
    }

    private static func energy(of parts: [Part]) -> Double {
        parts.reduce(0) { $0 + Double($1.end - $1.start) / Double(hour) * power }
    }

    /// `nil` where a rate is not known.
    private static func cost(of parts: [Part], _ rates: [Int64: Double]) -> Double? {
        var sum = 0.0
        for part in parts {
            var time = part.start
            while time < part.end {
                let next = min(part.end, (time / hour + 1) * hour)
                guard let rate = rates[time / hour] else { return nil }
                sum += rate * power * Double(next - time) / Double(hour)
                time = next
            }
        }
        return sum
    }

    // MARK: Files

    /// Sessions of 2021 whose driver said when to leave, and who could have what they took in the time they stayed.
    private static func read(_ path: String) throws -> [Session] {
        let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        return text.split(whereSeparator: \.isNewline).dropFirst().compactMap { line in
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count == 8, fields[0].hasPrefix("2021"), fields[7] == "True", let arrival = instant(fields[0]),
                let departure = instant(fields[1]), let said = instant(fields[6]), let energy = Double(fields[3]),
                said > arrival, energy > 0.1, energy <= power * Double(departure - arrival) / Double(hour)
            else { return nil }
            return Session(arrival: arrival, departure: departure, said: said, energy: energy)
        }
    }

    /// By hours since 1970.
    private static func table(
        _ file: URL, _ entry: ([Substring]) -> (Int64, Double)?
    ) -> [Int64: Double] {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [:] }
        let rows = text.split(whereSeparator: \.isNewline).dropFirst().compactMap { line in
            entry(line.split(separator: ",", omittingEmptySubsequences: false))
        }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }

    /// Texas' clock hours in summer are two hours before California's: the same hour of the day counts.
    private static func price(_ fields: [Substring]) -> (Int64, Double)? {
        let date = fields[0].split(separator: "/")
        guard date.count == 3, let hourEnding = Int64(fields[1].prefix(2)), let value = Double(fields[3]),
            let midnight = instant("\(date[2])-\(date[0])-\(date[1]) 00:00:00-07:00")
        else { return nil }
        return (midnight / hour + hourEnding - 1, value / 1000)
    }

    private static let zones = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZoneSeparator: .colon)

    /// `2021-05-01 01:18:45-07:00` or `2021-05-01T08:00:00Z`.
    private static func instant(_ text: some StringProtocol) -> Int64? {
        let style = text.contains("T") ? Date.ISO8601FormatStyle() : zones
        return (try? style.parse(String(text))).map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
    }
}
