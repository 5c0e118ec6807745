internal import EnergyModel
internal import Foundation

/// A few numbers of their own, one after the other.
enum PackedNumbers {
    static func pack(_ numbers: [Int64]) -> Data { PackedColumns.pack(numbers.map { [$0] }) }

    /// - Parameter countMax: longer lists are damage.
    static func pack(list numbers: [Int64]) -> Data { Data([UInt8(clamping: numbers.count)]) + pack(numbers) }

    static func unpack(_ data: Data, count: Int) throws(EnergyError) -> [Int64] {
        try reading(data) { (bytes) throws(EnergyError) in
            var reader = PackedColumns.Reader(columns: count, countMax: 1)
            try reader.read(bytes)
            guard reader.count == 1 else { throw .damaged("row") }
            return (0..<count).map { reader[$0, 0] }
        }
    }

    static func unpack(list data: Data) throws(EnergyError) -> [Int64] {
        guard let count = data.first else { throw .damaged("row") }
        return try unpack(Data(data.dropFirst()), count: Int(count))
    }

    /// `Data` does not hand its bytes to what throws typed errors.
    static func reading<Value>(
        _ data: Data, _ body: (UnsafeRawBufferPointer) throws(EnergyError) -> Value
    ) throws(EnergyError) -> Value {
        let result: Result<Value, EnergyError> = data.withUnsafeBytes { bytes in
            do throws(EnergyError) { return .success(try body(bytes)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
