import EnergyModel
import EnergyWire

/// One value of some message, for tests that go over all of them.
struct AnyMessage {
    let value: any WireMessage
    /// Its name in `proto/`.
    let name: String
    let bytes: [UInt8]
    let decodesToItself: () throws(EnergyError) -> Bool
    /// Decodes other bytes as this message.
    let decode: ([UInt8]) throws(EnergyError) -> Void

    init<Message: WireMessage & Equatable>(_ name: String, _ value: Message) {
        let bytes = value.encoded()
        self.value = value
        self.name = "energy.v1." + name
        self.bytes = bytes
        decodesToItself = { () throws(EnergyError) in try Message(decoding: bytes) == value }
        decode = { (bytes) throws(EnergyError) in _ = try Message(decoding: bytes) }
    }

    static func one(ofEach values: inout RandomValues) -> [AnyMessage] {
        let interval = values.interval()
        return [
            AnyMessage("Empty", Empty()),
            AnyMessage("ListVenuesReply", VenueList(venues: values.list(0...5) { $0.venue() })),
            AnyMessage("GetVenueRequest", values.bool() ? VenueReference.id(values.uuid()) : .homeID(values.uuid())),
            AnyMessage("Venue", values.venue()),
            AnyMessage("PutVenueRequest", values.venueDraft()),
            AnyMessage("ListRatePlansReply", RatePlanList(ratePlans: values.list(0...3) { $0.ratePlan() })),
            AnyMessage("RatePlan", values.ratePlan()),
            AnyMessage(
                "GuidanceRequest",
                GuidanceRequest(venueID: values.uuid(), action: values.one(of: SuggestedAction.allCases))),
            AnyMessage("ElectricityGuidance", values.guidance()),
            AnyMessage("ResolveTokenRequest", TokenReference(token: values.uuid())),
            AnyMessage(
                "ResolvedToken",
                ResolvedToken(
                    token: values.uuid(), venueID: values.uuid(), action: values.one(of: SuggestedAction.allCases),
                    issued: values.timestamp(), principals: values.list(0...5) { $0.text() })),
            AnyMessage("SignalHistoryRequest", SignalHistoryRequest(venueID: values.uuid(), interval: interval)),
            AnyMessage("SignalHistoryReply", SignalHistory(intervals: values.list(0...50) { $0.signalInterval() })),
            AnyMessage("SubmitEventsRequest", EventBatch(events: values.list(0...20) { $0.event() })),
            AnyMessage(
                "SubmitEventsReply",
                SubmitResult(
                    accepted: values.int(0...Int(UInt32.max)), duplicates: values.int(0...Int(UInt32.max)))),
            AnyMessage(
                "ReadLogRequest", LogPosition(partition: values.int(0...15), afterSequence: values.uint64())),
            AnyMessage("LogPage", LogPage(records: values.list(0...5) { $0.logRecord() })),
            AnyMessage("LogHeads", LogHeads(heads: values.list(0...16) { $0.logHead() })),
            AnyMessage("LogRecord", values.logRecord()),
            AnyMessage("InsightQuery", values.insightQuery()),
            AnyMessage(
                "InsightPage",
                InsightPage(
                    records: values.list(0...30) { $0.insightRecord() }, applied: values.list(0...16) { $0.logHead() })),
            AnyMessage(
                "InsightChange", InsightChange(venueID: values.uuid(), deviceID: values.text(), interval: interval)),
            AnyMessage("ListDevicesRequest", VenueFilter(venueID: values.maybe { $0.uuid() })),
            AnyMessage("ListDevicesReply", DeviceList(devices: values.list(0...10) { $0.managedDevice() })),
            AnyMessage("ManagedDevice", values.managedDevice()),
            AnyMessage("PutGoalRequest", values.goalDraft()),
            AnyMessage("Schedule", values.schedule()),
            AnyMessage("GoalRef", DeviceReference(venueID: values.uuid(), deviceID: values.text())),
            AnyMessage(
                "ScheduleRequest",
                ScheduleFilter(venueID: values.maybe { $0.uuid() }, deviceID: values.maybe { $0.text() })),
            AnyMessage("ListSchedulesReply", ScheduleList(schedules: values.list(0...3) { $0.schedule() })),
            AnyMessage("HealthCheckRequest", HealthCheckRequest(service: values.text())),
            AnyMessage(
                "HealthCheckReply",
                HealthCheckReply(status: values.one(of: ServingStatus.allCases), reason: values.text())),
            AnyMessage(
                "HealthListReply",
                HealthListReply(
                    services: values.list(0...10) {
                        ServiceHealth(
                            service: $0.text(), status: $0.one(of: ServingStatus.allCases), reason: $0.text())
                    })),
            AnyMessage("DescribeReply", values.describeReply()),
        ]
    }
}
