import EnergyTransport
import EnergyWire

extension RandomValues {
    mutating func describeReply() -> DescribeReply {
        let set = list(0...300) { UInt8($0.int(0...255)) }
        return DescribeReply(
            fileDescriptorSet: set, methods: list(0...20) { $0.text() }, version: text(),
            permissions: Set(Permission.allCases.filter { _ in int(0...1) == 1 }))
    }
}
