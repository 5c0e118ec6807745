import EnergyModel

@testable import EnergyWire

/// One value of some message, for tests that go over all of them.
struct AnyMessage: Sendable {
    let value: any WireMessage
    /// Its name in `proto/`.
    let name: String
    let bytes: [UInt8]
    /// Whether bytes hold the same value.
    private let decodes: @Sendable ([UInt8]) throws(EnergyError) -> Bool
    /// Decodes other bytes as this message, and encodes what they hold.
    let decode: @Sendable ([UInt8]) throws(EnergyError) -> Void

    init<Message: ProtoMessage & Equatable>(_ value: Message) {
        let bytes = value.encoded()
        self.value = value
        name = Message.Proto.name
        self.bytes = bytes
        decodes = { (bytes) throws(EnergyError) in try Message(decoding: bytes) == value }
        decode = { (bytes) throws(EnergyError) in _ = try Message(decoding: bytes).encoded() }
    }

    func decodesToItself(from other: [UInt8]? = nil) throws(EnergyError) -> Bool { try decodes(other ?? bytes) }

    static func one(ofEach values: inout RandomValues) -> [AnyMessage] {
        let interval = values.interval()
        return [
            AnyMessage(Empty()),
            AnyMessage(VenueList(venues: values.list(0...5) { $0.venue() })),
            AnyMessage(values.bool() ? VenueReference.id(values.uuid()) : .homeID(values.uuid())),
            AnyMessage(values.venue()),
            AnyMessage(values.venueDraft()),
            AnyMessage(VenueRemoval(id: values.uuid())),
            AnyMessage(RatePlanRemoval(id: values.text())),
            AnyMessage(RatePlanList(ratePlans: values.list(0...3) { $0.ratePlan() })),
            AnyMessage(values.ratePlan()),
            AnyMessage(values.demandResponseEvent()),
            AnyMessage(DemandResponseFilter(venueID: values.maybe { $0.uuid() }, includesPast: values.bool())),
            AnyMessage(DemandResponseList(events: values.list(0...5) { $0.demandResponseEvent() })),
            AnyMessage(DemandResponseReference(id: values.uuid())),
            AnyMessage(GuidanceRequest(venueID: values.uuid(), action: values.one(of: SuggestedAction.allCases))),
            AnyMessage(values.guidance()),
            AnyMessage(TokenReference(token: values.uuid())),
            AnyMessage(
                ResolvedToken(
                    token: values.uuid(), venueID: values.uuid(), action: values.one(of: SuggestedAction.allCases),
                    issued: values.timestamp(), principals: values.list(0...5) { $0.text() })),
            AnyMessage(SignalHistoryRequest(venueID: values.uuid(), interval: interval, isCorrected: values.bool())),
            AnyMessage(SignalHistory(intervals: values.list(0...50) { $0.signalInterval() })),
            AnyMessage(values.signalPush()),
            AnyMessage(SignalPushResult(source: values.text(), count: values.int(0...5_000))),
            AnyMessage(
                SourceList(
                    sources: values.list(0...10) { $0.regionSource() }, regions: values.list(0...9) { $0.text() })),
            AnyMessage(SourceReference(region: values.text(), source: values.text())), AnyMessage(values.sourceTest()),
            AnyMessage(EventBatch(events: values.list(0...20) { $0.event() })),
            AnyMessage(
                SubmitResult(
                    accepted: values.int(0...Int(UInt32.max)), duplicates: values.int(0...Int(UInt32.max)))),
            AnyMessage(
                LogPosition(
                    partition: values.int(0...15), afterSequence: values.uint64(), reader: values.text(),
                    logID: values.maybe { $0.uuid() }, afterChecksum: values.maybe { $0.uint32() })),
            AnyMessage(LogReaderList(readers: values.list(0...5) { $0.logReader() })),
            AnyMessage(LogReaderReference(name: values.text())),
            AnyMessage(LogBackup(file: values.text(), bytes: values.int(0...Int.max))),
            AnyMessage(SessionFilter(venueID: values.uuid())),
            AnyMessage(SessionList(sessions: values.list(0...5) { $0.sessionProgress() })),
            AnyMessage(LogPage(records: values.list(0...5) { $0.logRecord() })),
            AnyMessage(LogHeads(heads: values.list(0...16) { $0.logHead() }, logID: values.maybe { $0.uuid() })),
            AnyMessage(values.logRecord()),
            AnyMessage(values.insightQuery()),
            AnyMessage(
                InsightPage(
                    records: values.list(0...30) { $0.insightRecord() }, applied: values.list(0...16) { $0.logHead() })),
            AnyMessage(values.sessionQuery()),
            AnyMessage(
                SessionInsightPage(
                    sessions: values.list(0...10) { $0.sessionInsight() },
                    applied: values.list(0...16) { $0.logHead() })),
            AnyMessage(values.savingsQuery()),
            AnyMessage(values.savingsAnswer()),
            AnyMessage(values.activityQuery()),
            AnyMessage(
                ActivityPage(
                    entries: values.list(0...10) { $0.activity() }, applied: values.list(0...16) { $0.logHead() })),
            AnyMessage(
                RepairDraft(
                    venueID: values.uuid(), sessionID: values.uuid(), eventID: values.uuid(),
                    action: values.repairAction(), reason: values.text() + ".",
                    origin: values.maybe {
                        RepairOrigin(
                            principal: $0.one(of: ["a", String(repeating: "ü", count: 250)]), made: $0.timestamp())
                    })),
            AnyMessage(
                RepairResult(
                    before: values.sessionInsight(), after: values.sessionInsight(),
                    remaining: values.maybe { RuleViolation(field: $0.text(), rule: $0.text(), value: $0.text()) })),
            AnyMessage(RepairFilter(venueID: values.uuid(), skipped: values.int(0...9))),
            AnyMessage(RepairList(repairs: values.list(0...5) { $0.repair() }, hasMore: values.bool())),
            AnyMessage(RebuildRequest(acceptsLoss: values.bool())),
            AnyMessage(
                RebuildProgress(
                    recordsCounted: values.energy().milliwattHours.magnitude,
                    records: values.energy().milliwattHours.magnitude,
                    isDone: values.bool(), isIdentical: values.bool(), hadOlderRules: values.bool())),
            AnyMessage(InsightChange(venueID: values.uuid(), deviceID: values.text(), interval: interval)),
            AnyMessage(VenueFilter(venueID: values.maybe { $0.uuid() })),
            AnyMessage(DeviceList(devices: values.list(0...10) { $0.managedDevice() })),
            AnyMessage(values.managedDevice()),
            AnyMessage(values.goalDraft()),
            AnyMessage(values.schedule()),
            AnyMessage(DeviceRemoval(venueID: values.uuid(), deviceID: values.text())),
            AnyMessage(
                DeviceReference(venueID: values.uuid(), deviceID: values.text(), goalID: values.maybe { $0.uuid() })),
            AnyMessage(RulesDraft(venueID: values.uuid(), deviceID: values.text(), rules: values.chargingRules())),
            AnyMessage(
                OverrideRequest(
                    venueID: values.uuid(), deviceID: values.text(), action: values.one(of: OverrideAction.allCases))),
            AnyMessage(PlannedVenue(venueID: values.uuid())),
            AnyMessage(values.venueLimits()),
            AnyMessage(ObjectiveDraft(venueID: values.uuid(), objective: values.venueObjective())),
            AnyMessage(values.venueForecast()),
            AnyMessage(values.goalPreview()),
            AnyMessage(ScheduleFilter(venueID: values.maybe { $0.uuid() }, deviceID: values.maybe { $0.deviceID() })),
            AnyMessage(ScheduleList(schedules: values.list(0...3) { $0.schedule() })),
            AnyMessage(HealthCheckRequest(service: values.text())),
            AnyMessage(
                HealthCheckReply(
                    status: values.one(of: ServingStatus.allCases), reason: values.text(),
                    time: values.maybe { Timestamp(unixMilliseconds: $0.int64(1...253_402_300_799_999)) })),
            AnyMessage(
                HealthListReply(
                    services: values.list(0...10) {
                        ServiceHealth(
                            service: $0.text(), status: $0.one(of: ServingStatus.allCases), reason: $0.text())
                    })),
            AnyMessage(values.describeReply()),
            AnyMessage(values.dataSubject()),
            AnyMessage(
                ExportPage(documents: values.list(0...10) { StoredDocument(kind: $0.text(), json: $0.text()) })),
            AnyMessage(values.erasureReceipt()),
        ]
    }
}
