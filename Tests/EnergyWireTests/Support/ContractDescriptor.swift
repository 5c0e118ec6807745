import EnergyWire

/// The embedded descriptor set, as far as the tests need it. Field numbers are those of `descriptor.proto`.
struct ContractDescriptor {
    struct Method: Hashable {
        let name: String
        let request: String
        let reply: String
        let isStream: Bool
    }

    let methods: [Method]
    /// Full names of the messages that stand in each message's fields.
    let parts: [String: [String]]
    /// Names and numbers of each enum's values.
    let enums: [String: [(name: String, number: UInt64)]]

    init?() {
        guard let files = WireFields(Contract.fileDescriptorSet)?.messages(1), !files.isEmpty else { return nil }
        methods = files.flatMap { file in
            file.messages(6).flatMap { service in
                service.messages(2).map { method in
                    Method(
                        name: "\(file.string(2)).\(service.string(1))/\(method.string(1))",
                        request: String(method.string(2).dropFirst()), reply: String(method.string(3).dropFirst()),
                        isStream: method.number(6) != 0)
                }
            }
        }
        let messages = files.flatMap { file in file.messages(4).map { (file.string(2), $0) } }
        parts = Dictionary(
            uniqueKeysWithValues: messages.map { package, message in
                let types = message.messages(2).filter { $0.number(5) == 11 }.map { String($0.string(6).dropFirst()) }
                return ("\(package).\(message.string(1))", types)
            })
        enums = Dictionary(
            uniqueKeysWithValues: files.flatMap { $0.messages(5) }.map { type in
                (type.string(1), type.messages(2).map { ($0.string(1), $0.number(2)) })
            })
    }
}
