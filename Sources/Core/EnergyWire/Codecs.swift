public import EnergyModel

// To be replaced by the real codecs.
extension Empty: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension VenueList: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension VenueReference: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension Venue: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension VenueDraft: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension RatePlanList: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension RatePlan: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension GuidanceRequest: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension Guidance: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension TokenReference: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension ResolvedToken: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension SignalHistoryRequest: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension SignalHistory: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension EventBatch: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension SubmitResult: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension LogPosition: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension LogPage: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension LogHeads: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension LogRecord: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension InsightQuery: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension InsightPage: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension InsightChange: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension VenueFilter: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension DeviceList: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension ManagedDevice: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension GoalDraft: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension Schedule: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension DeviceReference: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension ScheduleFilter: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
extension ScheduleList: WireMessage {
    public func encoded() -> [UInt8] { fatalError() }
    public init(decoding bytes: [UInt8]) throws(EnergyError) { fatalError() }
}
