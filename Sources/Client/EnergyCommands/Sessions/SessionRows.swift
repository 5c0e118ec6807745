internal import EnergyModel
internal import Foundation
internal import InsightFiles

/// The rows of a table in a file, one after the other.
final class SessionRows {
    private let file: BufferedFile
    private let path: String
    private let byteCount: Int?
    private var table = CSVRows()
    private var rows: ArraySlice<CSVRows.Row> = []
    private var isAtEnd = false

    /// - Parameter path: `-` is standard input.
    init(path: String) throws(CommandFailure) {
        self.path = path
        file = try BufferedFile(path: path)
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        byteCount = (attributes?[.size] as? NSNumber)?.intValue
    }

    /// How much of the file was read; `nil` where its length is not known.
    var fraction: Double? {
        byteCount.flatMap { $0 > 0 ? Double(file.offset) / Double($0) : nil }
    }

    /// - Returns: `nil` at the end.
    func next() throws(CommandFailure) -> CSVRows.Row? {
        while rows.isEmpty, !isAtEnd {
            if file.rest.isEmpty { isAtEnd = try !file.fill() }
            // Small portions, so that the share of the file that was read is that which was dealt with.
            let portion = Array(file.rest.prefix(1 << 14))
            file.take(portion.count)
            do throws(EnergyError) {
                rows = ArraySlice(isAtEnd ? try table.finish() : try table.read(portion[...]))
            } catch {
                throw CommandFailure(.refused, "\(path): \(error.message)".asSentence)
            }
        }
        return rows.popFirst()
    }
}
