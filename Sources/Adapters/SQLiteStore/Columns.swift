internal import EnergyModel
internal import Foundation
internal import GRDB

// How values stand in columns. What a column holds was written here: anything else means a damaged file.

extension UUID {
    var bytes: Data { withUnsafeBytes(of: uuid) { Data($0) } }
}

extension Row {
    func uuid(_ column: String) throws -> UUID {
        guard let data = self[column] as Data?, data.count == 16 else { throw EnergyError.damaged(column) }
        var raw: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &raw) { $0.copyBytes(from: data) }
        return UUID(uuid: raw)
    }

    func value<Value: RawRepresentable<String>>(_ column: String) throws -> Value {
        guard let value = Value(rawValue: self[column]) else { throw EnergyError.damaged(column) }
        return value
    }

    func timeZone(_ column: String) throws -> TimeZone {
        guard let zone = TimeZone(identifier: self[column]) else { throw EnergyError.damaged(column) }
        return zone
    }
}

extension EnergyError {
    static func damaged(_ column: String) -> EnergyError {
        EnergyError(.dataLoss, "the database holds a damaged \(column)")
    }
}
