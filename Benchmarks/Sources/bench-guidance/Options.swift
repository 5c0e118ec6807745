import EnergyModel
import Foundation

struct Options {
    var folder: String
    var from: Timestamp?
    var to: Timestamp?
    var lagHours: Int64 = 0
    var historyDays: Int64?
    var skipsRefresh = false
    var isRefreshChild = false

    static let recordings = ["us-grid-carbon-hourly", "caiso-pge-moer-5min", "ercot-dayahead-price-2021"]

    init(_ arguments: ArraySlice<String>) throws {
        var (rest, folders) = (arguments, [String]())
        func value() throws -> String {
            guard let value = rest.popFirst() else { throw Failure("the last option needs a value") }
            return value
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--from": from = try Self.day(value())
            case "--to": to = try Self.day(value())
            case "--lag-hours": lagHours = try Self.count(value())
            case "--history-days": historyDays = try Self.count(value())
            case "--no-refresh": skipsRefresh = true
            case "--refresh-child": isRefreshChild = true
            default:
                if argument.hasPrefix("-") { throw Failure("there is no option \(argument)") }
                folders.append(argument)
            }
        }
        if folders.count > 1 { throw Failure("one folder at a time") }
        folder = folders.first ?? Self.shared + Self.recordings[0]
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
        if !isRefreshChild, !exists || !isFolder.boolValue {
            throw Failure("there is no folder \(folder): name one with CSV files, make bench-guidance DATA=folder")
        }
    }

    /// The other recordings, if they lie beside the folder.
    var foldersBeside: [String] {
        let here = URL(filePath: folder).standardizedFileURL
        return Self.recordings.map { here.deletingLastPathComponent().appending(path: $0) }
            .filter { $0.lastPathComponent != here.lastPathComponent }
            .map(\.path).filter { FileManager.default.fileExists(atPath: $0) }
    }

    private static let shared =
        URL(filePath: #filePath).appending(path: "../../../../../shared/data/")
        .standardizedFileURL.path + "/"

    private static func day(_ text: String) throws -> Timestamp {
        guard let date = ISO8601DateFormatter().date(from: text + "T00:00:00Z") else {
            throw Failure("\(text) is not a day, as 2021-07-01")
        }
        return Timestamp(date)
    }

    private static func count(_ text: String) throws -> Int64 {
        guard let count = Int64(text), 0...10_000 ~= count else {
            throw Failure("\(text) is not a number of 0...10000")
        }
        return count
    }
}
