public import EnergyModel

extension LogRecord {
    /// As ``encoded()``, for a record whose events were encoded before: they are copied, not encoded again.
    ///
    /// - Parameter batch: an encoded ``EventBatch`` of the record's events, in their order.
    /// - Returns: `nil` when the batch holds anything but events.
    public func encoded(copyingEventsOf batch: [UInt8]) -> [UInt8]? {
        let head = LogRecord(
            partition: partition, sequence: sequence, venueID: venueID, received: received, principal: principal,
            events: []
        ).encoded()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(head.count + batch.count)
        bytes += head
        bytes += batch
        // An event is a field of both messages; only its number differs, and takes one byte in both.
        var place = head.count
        while place < bytes.count {
            guard bytes[place] == Self.eventInBatch else { return nil }
            bytes[place] = Self.eventInRecord
            place += 1
            guard let length = Self.varint(in: bytes, at: &place), length <= bytes.count - place else { return nil }
            place += length
        }
        return bytes
    }

    /// Field 1 of `SubmitEventsRequest` and field 6 of `LogRecord`, with a length.
    private static let eventInBatch: UInt8 = 1 << 3 | 2
    private static let eventInRecord: UInt8 = 6 << 3 | 2

    /// Up to 28 bits: a batch is far smaller.
    private static func varint(in bytes: [UInt8], at place: inout Int) -> Int? {
        var value = 0
        for shift in stride(from: 0, to: 28, by: 7) {
            guard place < bytes.count else { return nil }
            let byte = bytes[place]
            place += 1
            value |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
