public import EnergyModel

/// Every method of the contract, as in `proto/energy/v1/services.proto`.
public enum Methods {
    // guidance-publisher
    public static let listVenues = UnaryMethod<Empty, VenueList>("energy.v1.Venues/List", isIdempotent: true)
    public static let getVenue = UnaryMethod<VenueReference, Venue>("energy.v1.Venues/Get", isIdempotent: true)
    public static let putVenue = UnaryMethod<VenueDraft, Venue>("energy.v1.Venues/Put", isIdempotent: false)
    public static let removeVenue = UnaryMethod<VenueRemoval, Venue>("energy.v1.Venues/Remove", isIdempotent: true)
    public static let listRatePlans = UnaryMethod<Empty, RatePlanList>("energy.v1.RatePlans/List", isIdempotent: true)
    public static let putRatePlan = UnaryMethod<RatePlan, RatePlan>(
        "energy.v1.RatePlans/Put", isIdempotent: true, request: .put)
    public static let putDemandResponse = UnaryMethod<DemandResponseEvent, DemandResponseEvent>(
        "energy.v1.DemandResponse/Put", isIdempotent: true, request: .put)
    public static let listDemandResponse = UnaryMethod<DemandResponseFilter, DemandResponseList>(
        "energy.v1.DemandResponse/List", isIdempotent: true)
    public static let cancelDemandResponse = UnaryMethod<DemandResponseReference, DemandResponseEvent>(
        "energy.v1.DemandResponse/Cancel", isIdempotent: true)
    public static let getGuidance = UnaryMethod<GuidanceRequest, Guidance>("energy.v1.Guidance/Get", isIdempotent: true)
    public static let resolveToken = UnaryMethod<TokenReference, ResolvedToken>(
        "energy.v1.Guidance/ResolveToken", isIdempotent: true)
    public static let signalHistory = UnaryMethod<SignalHistoryRequest, SignalHistory>(
        "energy.v1.Signals/History", isIdempotent: true)
    public static let putSignals = UnaryMethod<SignalPush, SignalPushResult>(
        "energy.v1.Signals/Put", isIdempotent: true, bodyBytesMax: 512 * 1024)
    public static let listSources = UnaryMethod<Empty, SourceList>("energy.v1.Signals/Sources", isIdempotent: true)

    // event-ingestor
    public static let submitEvents = UnaryMethod<EventBatch, SubmitResult>(
        "energy.v1.Events/Submit", isIdempotent: true, bodyBytesMax: 1024 * 1024)
    public static let readLog = StreamMethod<LogPosition, LogPage>("energy.v1.Events/ReadLog")
    public static let logHeads = UnaryMethod<Empty, LogHeads>("energy.v1.Events/Heads", isIdempotent: true)
    public static let listSessions = UnaryMethod<SessionFilter, SessionList>(
        "energy.v1.Events/Sessions", isIdempotent: true)
    public static let backUpLog = UnaryMethod<Empty, LogBackup>("energy.v1.Events/Backup", isIdempotent: false)

    // insight-service
    public static let queryInsights = StreamMethod<InsightQuery, InsightPage>("energy.v1.Insights/Query")

    // scheduler
    public static let listDevices = UnaryMethod<VenueFilter, DeviceList>(
        "energy.v1.Schedules/ListDevices", isIdempotent: true)
    public static let putDevice = UnaryMethod<ManagedDevice, ManagedDevice>(
        "energy.v1.Schedules/PutDevice", isIdempotent: true, request: .put)
    public static let putGoal = UnaryMethod<GoalDraft, Schedule>("energy.v1.Schedules/PutGoal", isIdempotent: false)
    public static let deleteGoal = UnaryMethod<DeviceReference, Empty>(
        "energy.v1.Schedules/DeleteGoal", isIdempotent: true)
    public static let listSchedules = UnaryMethod<ScheduleFilter, ScheduleList>(
        "energy.v1.Schedules/List", isIdempotent: true)

    // every process; it also answers energy.v1.Publications/Fetch, which belongs to the transport
    public static let checkHealth = UnaryMethod<HealthCheckRequest, HealthCheckReply>(
        "energy.v1.Health/Check", isIdempotent: true)
    public static let watchHealth = StreamMethod<HealthCheckRequest, HealthCheckReply>("energy.v1.Health/Watch")
    public static let listHealth = UnaryMethod<Empty, HealthListReply>("energy.v1.Health/List", isIdempotent: true)
    public static let describe = UnaryMethod<Empty, DescribeReply>(
        "energy.v1.Reflection/Describe", isIdempotent: true)
}
