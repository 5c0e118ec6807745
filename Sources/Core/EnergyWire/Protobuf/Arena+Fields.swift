internal import EnergyProto
internal import Foundation

/// How each type of value stands in a C struct. Arrays are pairs of a count and a pointer, as the structs have them.
extension Arena {
    mutating func message<Value: ProtoCoded>(_ value: Value) -> UnsafeMutablePointer<Value.Proto> {
        let message = array(of: Value.Proto.self, count: 1)
        Value.Proto.initialize(message)
        value.write(to: &message.pointee, &self)
        return message
    }

    mutating func messages<Value: ProtoCoded>(
        _ values: [Value]
    ) -> (count: Int, UnsafeMutablePointer<UnsafeMutablePointer<Value.Proto>?>) {
        let messages = array(of: UnsafeMutablePointer<Value.Proto>?.self, count: values.count)
        for (index, value) in values.enumerated() { (messages + index).initialize(to: message(value)) }
        return (values.count, messages)
    }

    /// UTF-8 that ends with a NUL. A NUL inside, which no value of the model has, is left out.
    mutating func string(_ value: String) -> UnsafeMutablePointer<CChar> {
        var value = value
        return value.withUTF8 { utf8 in
            let text = array(of: CChar.self, count: utf8.count + 1)
            var end = text
            for byte in utf8 where byte != 0 {
                end.initialize(to: CChar(bitPattern: byte))
                end += 1
            }
            end.initialize(to: 0)
            return text
        }
    }

    mutating func strings(_ values: [String]) -> (count: Int, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) {
        let strings = array(of: UnsafeMutablePointer<CChar>?.self, count: values.count)
        for (index, value) in values.enumerated() { (strings + index).initialize(to: string(value)) }
        return (values.count, strings)
    }

    mutating func bytes(_ value: [UInt8]) -> ProtobufCBinaryData {
        let data = array(of: UInt8.self, count: value.count)
        data.initialize(from: value, count: value.count)
        return ProtobufCBinaryData(len: value.count, data: data)
    }

    mutating func uuid(_ value: UUID) -> ProtobufCBinaryData {
        let data = array(of: UInt8.self, count: 16)
        UnsafeMutableRawPointer(data).storeBytes(of: value.uuid, as: uuid_t.self)
        return ProtobufCBinaryData(len: 16, data: data)
    }

    /// Empty where there is none.
    mutating func uuid(_ value: UUID?) -> ProtobufCBinaryData { value.map { uuid($0) } ?? ProtobufCBinaryData() }

    mutating func uuids(_ values: [UUID]) -> (count: Int, UnsafeMutablePointer<ProtobufCBinaryData>) {
        let uuids = array(of: ProtobufCBinaryData.self, count: values.count)
        for (index, value) in values.enumerated() { (uuids + index).initialize(to: uuid(value)) }
        return (values.count, uuids)
    }

    mutating func numbers(_ values: [Int64]) -> (count: Int, UnsafeMutablePointer<Int64>) {
        let numbers = array(of: Int64.self, count: values.count)
        numbers.initialize(from: values, count: values.count)
        return (values.count, numbers)
    }

    mutating func numbers(_ values: [UInt64]) -> (count: Int, UnsafeMutablePointer<UInt64>) {
        let numbers = array(of: UInt64.self, count: values.count)
        numbers.initialize(from: values, count: values.count)
        return (values.count, numbers)
    }

    private mutating func array<Element>(of type: Element.Type, count: Int) -> UnsafeMutablePointer<Element> {
        guard let memory = allocate(byteCount: count * MemoryLayout<Element>.stride) else {
            preconditionFailure("an arena for encoding has no budget to use up")
        }
        return memory.bindMemory(to: type, capacity: count)
    }
}

extension Bool {
    var proto: protobuf_c_boolean { self ? 1 : 0 }
}
