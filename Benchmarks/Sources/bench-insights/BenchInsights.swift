import EnergyModel
import EnergyStore
import Foundation
import Insights
import SQLiteStore

/// What a projection costs, what its answers cost and what it takes on disk.
///
/// `bench-insights project|ask|history FOLDER`; `insights.py` runs all of them and the peers. Each prints one JSON object.
@main
struct BenchInsights {
    static func main() async {
        do {
            let arguments = CommandLine.arguments
            guard arguments.count == 3 else { throw Failure(description: "bench-insights project|ask|history FOLDER") }
            let folder = URL(filePath: arguments[2])
            switch arguments[1] {
            case "project": try await project(folder)
            case "ask": try await ask(folder)
            case "history": try await history(folder)
            default: throw Failure(description: "project, ask or history")
            }
        } catch {
            FileHandle.standardError.write(Data("bench-insights: \(error)\n".utf8))
            Foundation.exit(1)
        }
    }

    private static let household = Household(deviceCount: 100, days: 365)

    private static func store(_ folder: URL, _ name: String) throws -> SQLiteInsightStore {
        try SQLiteInsightStore(path: folder.appending(path: name).path())
    }

    /// Seconds of the processor and of the clock that it took to count, without what it took to make the events.
    private struct Fill {
        var events = 0
        var processorSeconds = 0.0
        var seconds = 0.0
    }

    private static func fill(_ store: any InsightStore, _ household: Household) async throws -> Fill {
        let projector = InsightProjector(store: store, signals: Publisher(), venues: Publisher())
        let clock = ContinuousClock()
        var fill = Fill()
        try await household.pages { page in
            let (start, processor) = (clock.now, processorSeconds())
            try await projector.project(page)
            fill.processorSeconds += processorSeconds() - processor
            fill.seconds += Double((clock.now - start) / .microseconds(1)) / 1e6
            fill.events += page.reduce(0) { $0 + $1.events.count }
        }
        return fill
    }

    private static func project(_ folder: URL) async throws {
        let store = try store(folder, "year.sqlite")
        let fill = try await fill(store, household)
        try store.close()
        print(
            """
            {"events":\(fill.events),"processor_s":\(fill.processorSeconds),"seconds":\(fill.seconds),\
            "events_per_s":\(Int(Double(fill.events) / fill.processorSeconds))}
            """)
    }

    /// The peers' tables, the answers that they must give too, and the times of ours.
    private static func ask(_ folder: URL) async throws {
        try PeerFiles(household: household, folder: folder).write()
        let store = try store(folder, "year.sqlite")
        let questions = Questions(
            service: InsightService(store: store, venues: Publisher()), household: household)
        let year = questions.year(0)
        var (lines, worst, worstProcessor): ([String], Double, Double) = ([], 0, 0)
        for granularity in Granularity.allCases {
            // Of a hundred answers the 99th is nearly the slowest: it told what else the machine did.
            let whole = try await questions.measure(granularity, year, rounds: 2_000, split: false)
            let split = try await questions.measure(granularity, year, rounds: 2_000, split: true)
            worst = max(worst, whole.times.percentile(0.99), split.times.percentile(0.99))
            let processor = max(whole.processor.percentile(0.99), split.processor.percentile(0.99))
            worstProcessor = max(worstProcessor, processor)
            lines.append(
                """
                "\(granularity.rawValue)":{"processor_p99_ms":\(processor),"p50_ms":\(whole.times.percentile(0.5)),\
                "p99_ms":\(whole.times.percentile(0.99)),"split_p99_ms":\(split.times.percentile(0.99))}
                """)
        }
        var answers: [String] = []
        for granularity in [Granularity.hourly, .daily, .monthly] {
            let records = try await questions.records(questions.query(42, granularity, year))
            let rows = records.map {
                """
                [\($0.interval.start.unixMilliseconds),\($0.total.energy.milliwattHours),\
                \($0.worth.costs.first?.micros ?? 0),\($0.worth.carbon.first?.milligrams ?? 0)]
                """
            }
            answers.append("\"\(granularity.rawValue)\":[\(rows.joined(separator: ","))]")
        }
        try Data("{\(answers.joined(separator: ","))}".utf8).write(to: folder.appending(path: "answers.json"))
        try store.close()
        print(
            "{\"p99_ms\":\(worst),\"processor_p99_ms\":\(worstProcessor),\"granularities\":{\(lines.joined(separator: ","))}}"
        )
    }

    /// A year's question with 1, 2 and 5 years of history, and the size of the latter.
    private static func history(_ folder: URL) async throws {
        var lines: [String] = []
        var size = 0.0
        for years in [1, 2, 5] {
            let household = Household(deviceCount: 8, days: years * 365)
            let name = "years-\(years).sqlite"
            let store = try store(folder, name)
            _ = try await fill(store, household)
            let questions = Questions(service: InsightService(store: store, venues: Publisher()), household: household)
            let daily = try await questions.measure(.daily, questions.year(0), rounds: 400, split: false)
            let hourly = try await questions.measure(.hourly, questions.year(0), rounds: 400, split: false)
            try store.close()
            let path = folder.appending(path: name).path()
            let bytes = (try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.doubleValue ?? 0
            size = bytes / Double(household.deviceCount) / 1_048_576
            lines.append(
                """
                "\(years)":{"daily_p50_ms":\(daily.times.percentile(0.5)),"daily_p99_ms":\(daily.times.percentile(0.99)),\
                "hourly_p50_ms":\(hourly.times.percentile(0.5)),"mib_per_device":\(size)}
                """)
        }
        print("{\"mib_per_device_5y\":\(size),\"years\":{\(lines.joined(separator: ","))}}")
    }
}
