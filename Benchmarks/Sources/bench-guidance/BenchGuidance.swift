import Foundation

/// How good the published guidance is, on recorded grids, and what keeping it fresh costs.
///
/// `bench-guidance [--from DAY] [--to DAY] [--lag-hours N] [--history-days N] [--no-refresh] [FOLDER]`
///
/// Without a folder it looks for the recorded grids beside this project. The last line is one JSON object.
@main
struct BenchGuidance {
    static func main() async {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            if options.isRefreshChild {
                try await RefreshBenchmark.run()
                return
            }
            try await run(options)
        } catch {
            FileHandle.standardError.write(Data("bench-guidance: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ options: Options) async throws {
        let main = try RecordedGrid.all(in: options.folder)
        if main.isEmpty {
            throw Failure(
                "\(options.folder) has no CSV file with one of: \(RecordedGrid.columns.joined(separator: ", "))")
        }
        var scores: [(name: String, ours: SkillScore)] = []
        for grid in main {
            scores.append((grid.name, try await GridReport(grid, options).printed()))
        }
        for folder in options.foldersBeside {
            for grid in try RecordedGrid.all(in: folder) { _ = try await GridReport(grid, options).printed() }
        }
        let cost = options.skipsRefresh ? nil : try RefreshBenchmark.inChildProcess()
        print(Self.json(scores, cost))
    }

    private static func json(_ scores: [(name: String, ours: SkillScore)], _ cost: RefreshBenchmark.Cost?) -> String {
        func object(_ value: (SkillScore) -> Double) -> String {
            "{" + scores.map { "\"\($0.name)\":\(number(value($0.ours)))" }.joined(separator: ",") + "}"
        }
        func number(_ value: Double?) -> String {
            value.flatMap { $0.isFinite ? String(format: "%.4f", $0) : nil } ?? "null"
        }
        return """
            {"captured_share":\(object(\.split4)),"contiguous_4h":\(object(\.contiguous4)),\
            "rank_correlation":\(object(\.rankCorrelation)),"worst_day":\(object(\.worstDay)),\
            "refresh_s":\(number(cost?.seconds)),"refresh_rss_mib":\(number(cost?.mebibytes))}
            """
    }
}

struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
