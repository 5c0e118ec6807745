internal import CPostgreSQL
public import EnergyModel
internal import Foundation
public import SQLColumns

/// What one statement brought.
final class PostgreSQLResult {
    private let result: OpaquePointer
    private var columns: [String: Int32]?

    init(_ result: OpaquePointer) { self.result = result }
    deinit { PQclear(result) }

    var state: String { PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) } ?? "" }
    /// The word that a command ends with: `COMMIT`, `ROLLBACK`, `INSERT 0 1`.
    var command: String { PQcmdStatus(result).map { String(cString: $0) } ?? "" }
    var rowsChanged: Int { PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }
    /// Of a described statement.
    var parameterTypes: [UInt32] { (0..<PQnparams(result)).map { PQparamtype(result, $0) } }

    var rows: [PostgreSQLRow] { (0..<PQntuples(result)).map { PostgreSQLRow(result: self, number: $0) } }

    func column(_ name: String) -> Int32? {
        if columns == nil {
            let names = (0..<PQnfields(result)).map { (String(cString: PQfname(result, $0)), $0) }
            columns = Dictionary(names, uniquingKeysWith: { first, _ in first })
        }
        return columns?[name]
    }

    /// - Returns: `nil` for NULL; the bytes are the result's and lent for now.
    func bytes(row: Int32, column: Int32) -> UnsafeRawBufferPointer? {
        guard PQgetisnull(result, row, column) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    }

    func type(ofColumn column: Int32) -> UInt32 { PQftype(result, column) }
}

/// One row of an answer.
public struct PostgreSQLRow: ColumnRow {
    let result: PostgreSQLResult
    let number: Int32

    public func value(in name: String) throws(EnergyError) -> ColumnValue {
        guard let column = result.column(name) else { throw .damaged(name) }
        guard let bytes = result.bytes(row: number, column: column) else { return .null }
        guard let value = ColumnValue(bytes, type: result.type(ofColumn: column)) else { throw .damaged(name) }
        return value
    }
}
