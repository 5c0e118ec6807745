internal import EnergyModel
internal import EnergyProto

/// A C struct that protoc-c generated. It begins with a `ProtobufCMessage`.
protocol ProtoStruct {
    /// Gives every member its default.
    static func initialize(_ message: UnsafeMutablePointer<Self>)
}

/// A value that is one protobuf message, or part of one.
protocol ProtoCoded {
    associatedtype Proto: ProtoStruct

    /// Fills in `proto`, whose members all have their defaults.
    func write(to proto: inout Proto, _ arena: inout Arena)

    /// - Parameter proto: unpacked by ``ProtoMessage/init(decoding:)``.
    init(reading proto: Proto) throws(FieldError)
}

/// A value that travels as a message of its own.
protocol ProtoMessage: ProtoCoded, WireMessage {}

extension ProtoMessage {
    public func encoded() -> [UInt8] {
        var arena = Arena(firstChunk: 1024)
        let message = UnsafeRawPointer(arena.message(self)).assumingMemoryBound(to: ProtobufCMessage.self)
        let size = protobuf_c_message_get_packed_size(message)
        guard size > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = protobuf_c_message_pack(message, buffer.baseAddress)
        }
    }

    public init(decoding bytes: [UInt8]) throws(EnergyError) {
        var arena = Arena(unpacking: bytes.count)
        guard let message = arena.unpack(Proto.self, bytes) else {
            throw EnergyError(.invalidInput, "the body is not an \(Proto.name) in protobuf form, or nests too much")
        }
        do throws(FieldError) { try self.init(reading: message.pointee) } catch { throw error.asEnergyError }
    }
}

extension ProtoStruct {
    /// The full name of the message, for example `energy.v1.Venue`.
    static var name: String { withDescriptor { String(cString: $0.pointee.name) } }

    static func withDescriptor<Result>(_ body: (UnsafePointer<ProtobufCMessageDescriptor>) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: Self.self, capacity: 1) { message in
            // The generated descriptors are C constants, which Swift would copy; the struct holds their address.
            guard let start = message.baseAddress else { preconditionFailure("an allocation of one has an address") }
            initialize(start)
            let base = UnsafeRawPointer(start).assumingMemoryBound(to: ProtobufCMessage.self)
            guard let descriptor = base.pointee.descriptor else { preconditionFailure("protoc-c sets the descriptor") }
            return body(descriptor)
        }
    }
}

extension Arena {
    /// - Returns: `nil` when `bytes` are no `Proto`, or would take more than the budget.
    mutating func unpack<Proto: ProtoStruct>(_: Proto.Type, _ bytes: [UInt8]) -> UnsafePointer<Proto>? {
        withUnsafeMutablePointer(to: &self) { arena in
            var allocator = ProtobufCAllocator(
                alloc: { arena, size in arena?.assumingMemoryBound(to: Arena.self).pointee.allocate(byteCount: size) },
                free: { _, _ in },  // the arena frees all at once
                allocator_data: arena)
            let message = Proto.withDescriptor { protobuf_c_message_unpack($0, &allocator, bytes.count, bytes) }
            return UnsafeRawPointer(message)?.assumingMemoryBound(to: Proto.self)
        }
    }
}
