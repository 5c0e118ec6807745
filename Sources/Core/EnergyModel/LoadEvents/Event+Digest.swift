internal import Foundation

extension Event {
    /// Tells two events with the same id apart. The same on every machine and in every version, for it is stored.
    ///
    /// Not cryptographic: who finds a collision can only have an event of their own taken for its duplicate.
    public var digest: UInt64 {
        var digest = Digest()
        digest.add(id)
        digest.add(timestamp.unixMilliseconds)
        digest.add(venueID)
        digest.add(device.id)
        digest.add(device.name)
        digest.add(device.kind.rawValue)
        digest.add(content.field)
        switch content {
        case .vehicleLoad(let load): digest.add(load)
        case .hvacLoad(let load):
            digest.add(load.session)
            digest.add(Int64(load.stage))
        case .vehicleStatus(let status): digest.add(status)
        }
        return digest.value
    }
}

/// A 64-bit hash, fed word by word. Absent values and text lengths count, so that no two contents feed the same words.
struct Digest {
    private(set) var value: UInt64 = 0x6A09_E667_F3BC_C908

    private mutating func mix(_ word: UInt64) {
        var mixed = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
        mixed ^= mixed >> 32
        mixed &*= 0xD6E8_FEB8_6659_FD93
        value = mixed ^ (mixed >> 29)
    }

    mutating func add(_ number: Int64) { mix(UInt64(bitPattern: number)) }

    mutating func add(_ number: Int64?) {
        mix(number == nil ? 0 : 1)
        if let number { add(number) }
    }

    mutating func add(_ id: UUID) {
        withUnsafeBytes(of: id.uuid) { bytes in
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)))
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
    }

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            mix(UInt64(utf8.count))
            let bytes = UnsafeRawBufferPointer(utf8)
            var offset = 0
            while offset + 8 <= bytes.count {
                mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
                offset += 8
            }
            guard offset < bytes.count else { return }
            var word: UInt64 = 0
            for place in offset..<bytes.count { word |= UInt64(bytes[place]) << UInt64((place - offset) * 8) }
            mix(word)
        }
    }

    mutating func add(_ session: Session) {
        add(session.id)
        add(session.state.rawValue)
        mix(session.wasFollowingGuidance ? 1 : 0)
        add(session.guidanceToken)
    }

    mutating func add(_ load: VehicleLoad) {
        add(load.session)
        // What is known feeds what it always did.
        add(load.isStateOfChargeKnown ? Int64(load.stateOfCharge) : -1)
        add(load.direction.rawValue)
        add(load.powerMilliwatts)
        add(load.energyMilliwattHours)
        add(load.estimatedRangeMillimetres)
        add(load.batteryTemperatureMillikelvin)
    }

    mutating func add(_ status: VehicleStatus) {
        switch status.status {
        case .pluggedIn: add("pluggedIn")
        case .unplugged: add("unplugged")
        case .active(let reason):
            add("active")
            add(reason.rawValue)
        case .idle(let reason):
            add("idle")
            add(reason.rawValue)
        }
        add(Int64(status.stateOfCharge))
        add(status.energyMilliwattHours)
        add(status.estimatedRangeMillimetres)
        mix(status.target == nil ? 0 : 1)
        if let target = status.target {
            add(Int64(target.stateOfCharge))
            add(target.estimatedCompletion.unixMilliseconds)
            add(target.scheduledStart.unixMilliseconds)
            add(target.estimatedRangeMillimetres)
        }
        mix(status.sessionID == nil ? 0 : 1)
        if let session = status.sessionID { add(session) }
    }
}
