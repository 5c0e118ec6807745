public import EnergyModel
internal import EnergyTransport
internal import Foundation

/// Every method of the contract, as in `proto/energy/v1/services.proto`.
public enum Methods {
    // guidance-publisher
    public static let listVenues = UnaryMethod<Empty, VenueList>(
        "energy.v1.Venues/List", isIdempotent: true,
        access: Access(nil, reach: { _ in .none }) { (list, principal) in
            VenueList(venues: list.venues.filter { principal.reaches($0.id) })
        })
    public static let getVenue = UnaryMethod<VenueReference, Venue>(
        "energy.v1.Venues/Get", isIdempotent: true,
        access: Access(nil, reach: { _ in .none }) { (venue, principal) throws(EnergyError) in
            // As for one that there is not: ids must not be found out by trying.
            guard principal.reaches(venue.id) else { throw EnergyError(.notFound, "no such venue") }
            return venue
        })
    public static let putVenue = UnaryMethod<VenueDraft, Venue>(
        "energy.v1.Venues/Put", isIdempotent: false,
        access: Access(.admin, reach: { $0.id.map { .only([$0]) } ?? .every }),
        // Its region's sources may be asked for the first time.
        patience: .seconds(10))
    public static let removeVenue = UnaryMethod<VenueRemoval, Venue>(
        "energy.v1.Venues/Remove", isIdempotent: true, access: .to(.admin, venue: \.id))
    public static let listRatePlans = UnaryMethod<Empty, RatePlanList>(
        "energy.v1.RatePlans/List", isIdempotent: true, access: .to(.guidance))
    public static let putRatePlan = UnaryMethod<RatePlan, RatePlan>(
        "energy.v1.RatePlans/Put", isIdempotent: true, access: .toEverything(.admin), request: .put)
    public static let removeRatePlan = UnaryMethod<RatePlanRemoval, RatePlan>(
        "energy.v1.RatePlans/Remove", isIdempotent: true, access: .toEverything(.admin))
    public static let putDemandResponse = UnaryMethod<DemandResponseEvent, DemandResponseEvent>(
        "energy.v1.DemandResponse/Put", isIdempotent: true, access: Access(.control, reach: { $0.scope.reach }),
        request: .put)
    public static let listDemandResponse = UnaryMethod<DemandResponseFilter, DemandResponseList>(
        "energy.v1.DemandResponse/List", isIdempotent: true,
        access: Access(.guidance, reach: { $0.venueID.map { .only([$0]) } ?? .none }) { (list, principal) in
            DemandResponseList(events: list.events.filter { $0.scope.concerns(principal) })
        })
    public static let cancelDemandResponse = UnaryMethod<DemandResponseReference, DemandResponseEvent>(
        "energy.v1.DemandResponse/Cancel", isIdempotent: true, access: .toEverything(.control))
    public static let getGuidance = UnaryMethod<GuidanceRequest, Guidance>(
        "energy.v1.Guidance/Get", isIdempotent: true, access: .to(.guidance, venue: \.venueID))
    public static let resolveToken = UnaryMethod<TokenReference, ResolvedToken>(
        "energy.v1.Guidance/ResolveToken", isIdempotent: true,
        access: Access(.events, reach: { _ in .none }) { (token, principal) throws(EnergyError) in
            guard principal.reaches(token.venueID) else { throw EnergyError(.notFound, "no such token") }
            return token
        })
    public static let signalHistory = UnaryMethod<SignalHistoryRequest, SignalHistory>(
        "energy.v1.Signals/History", isIdempotent: true, access: .to(.guidance, venue: \.venueID))
    public static let putSignals = UnaryMethod<SignalPush, SignalPushResult>(
        "energy.v1.Signals/Put", isIdempotent: true, access: .toEverything(.control), bodyBytesMax: 512 * 1024)
    public static let listSources = UnaryMethod<Empty, SourceList>(
        "energy.v1.Signals/Sources", isIdempotent: true, access: .to(.guidance))
    public static let testSource = UnaryMethod<SourceReference, SourceTest>(
        "energy.v1.Signals/Test", isIdempotent: true, access: .toEverything(.control), patience: .seconds(35))

    // event-ingestor
    public static let submitEvents = UnaryMethod<EventBatch, SubmitResult>(
        "energy.v1.Events/Submit", isIdempotent: true,
        access: Access(.events, by: .partitions, reach: { .only($0.events.map(\.venueID)) }), bodyBytesMax: 1024 * 1024)
    public static let readLog = StreamMethod<LogPosition, LogPage>(
        "energy.v1.Events/ReadLog", access: .toEverything(.admin, .reads))
    public static let logHeads = UnaryMethod<Empty, LogHeads>(
        "energy.v1.Events/Heads", isIdempotent: true, access: .toEverything(.admin, .reads))
    public static let listSessions = UnaryMethod<SessionFilter, SessionList>(
        "energy.v1.Events/Sessions", isIdempotent: true, access: .to(.events, venue: \.venueID))
    public static let listReaders = UnaryMethod<Empty, LogReaderList>(
        "energy.v1.Events/Readers", isIdempotent: true, access: .toEverything(.admin, .reads))
    public static let removeReader = UnaryMethod<LogReaderReference, Empty>(
        "energy.v1.Events/RemoveReader", isIdempotent: true, access: .toEverything(.admin))
    public static let backUpLog = UnaryMethod<Empty, LogBackup>(
        "energy.v1.Events/Backup", isIdempotent: false, access: .toEverything(.admin))

    // insight-service
    public static let queryInsights = StreamMethod<InsightQuery, InsightPage>(
        "energy.v1.Insights/Query", access: .to(.insights, venue: \.venueID))
    public static let querySessions = StreamMethod<SessionQuery, SessionInsightPage>(
        "energy.v1.Insights/Sessions", access: .to(.insights, venue: \.venueID))
    public static let sumSavings = UnaryMethod<SavingsQuery, SavingsAnswer>(
        "energy.v1.Insights/Savings", isIdempotent: true, access: .to(.insights, venue: \.sessions.venueID))
    public static let queryActivity = StreamMethod<ActivityQuery, ActivityPage>(
        "energy.v1.Insights/Activity", access: .to(.insights, venue: \.venueID))
    public static let repairEvent = UnaryMethod<RepairDraft, RepairResult>(
        "energy.v1.Insights/Repair", isIdempotent: true, access: .to(.admin, venue: \.venueID))
    public static let listRepairs = UnaryMethod<RepairFilter, RepairList>(
        "energy.v1.Insights/ListRepairs", isIdempotent: true, access: .to(.insights, venue: \.venueID))
    public static let rebuildInsights = StreamMethod<RebuildRequest, RebuildProgress>(
        "energy.v1.Insights/Rebuild", isIdempotent: false, access: .toEverything(.admin))

    // scheduler
    public static let listDevices = UnaryMethod<VenueFilter, DeviceList>(
        "energy.v1.Schedules/ListDevices", isIdempotent: true,
        access: Access(.schedules, reach: { $0.venueID.map { .only([$0]) } ?? .none }) { (list, principal) in
            DeviceList(devices: list.devices.filter { principal.reaches($0.venueID) })
        })
    public static let putDevice = UnaryMethod<ManagedDevice, ManagedDevice>(
        "energy.v1.Schedules/PutDevice", isIdempotent: true, access: .to(.control, venue: \.venueID), request: .put)
    public static let removeDevice = UnaryMethod<DeviceRemoval, Empty>(
        "energy.v1.Schedules/RemoveDevice", isIdempotent: true, access: .to(.control, venue: \.venueID))
    public static let putGoal = UnaryMethod<GoalDraft, Schedule>(
        "energy.v1.Schedules/PutGoal", isIdempotent: false, access: .to(.control, venue: \.venueID))
    public static let deleteGoal = UnaryMethod<DeviceReference, Empty>(
        "energy.v1.Schedules/DeleteGoal", isIdempotent: true, access: .to(.control, venue: \.venueID))
    public static let putRules = UnaryMethod<RulesDraft, ManagedDevice>(
        "energy.v1.Schedules/PutRules", isIdempotent: true, access: .to(.control, venue: \.venueID))
    public static let getLimits = UnaryMethod<PlannedVenue, VenueLimits>(
        "energy.v1.Schedules/GetLimits", isIdempotent: true, access: .to(.schedules, venue: \.venueID))
    public static let putLimits = UnaryMethod<VenueLimits, VenueLimits>(
        "energy.v1.Schedules/PutLimits", isIdempotent: true, access: .to(.control, venue: \.venueID))
    public static let putObjective = UnaryMethod<ObjectiveDraft, VenueLimits>(
        "energy.v1.Schedules/PutObjective", isIdempotent: true, access: .to(.control, venue: \.venueID))
    public static let getForecast = UnaryMethod<PlannedVenue, VenueForecast>(
        "energy.v1.Schedules/GetForecast", isIdempotent: true, access: .to(.schedules, venue: \.venueID))
    public static let putForecast = UnaryMethod<VenueForecast, VenueForecast>(
        "energy.v1.Schedules/PutForecast", isIdempotent: true, access: .to(.control, venue: \.venueID),
        bodyBytesMax: 256 * 1024)
    public static let previewGoal = UnaryMethod<GoalDraft, GoalPreview>(
        "energy.v1.Schedules/Preview", isIdempotent: true, access: .to(.schedules, venue: \.venueID),
        patience: .seconds(12))
    public static let override = UnaryMethod<OverrideRequest, Schedule>(
        "energy.v1.Schedules/Override", isIdempotent: false, access: .to(.control, venue: \.venueID))
    public static let listSchedules = UnaryMethod<ScheduleFilter, ScheduleList>(
        "energy.v1.Schedules/List", isIdempotent: true,
        access: Access(.schedules, reach: { $0.venueID.map { .only([$0]) } ?? .none }) { (list, principal) in
            ScheduleList(schedules: list.schedules.filter { principal.reaches($0.venueID) })
        })

    // each of these four
    public static let exportData = StreamMethod<DataSubject, ExportPage>(
        "energy.v1.Privacy/Export", access: .to(.admin, venue: \.venueID))
    public static let eraseData = UnaryMethod<DataSubject, ErasureReceipt>(
        "energy.v1.Privacy/Erase", isIdempotent: true, access: .to(.admin, venue: \.venueID))

    // every process; it also answers energy.v1.Publications/Fetch and Follow, which belong to the transport
    public static let checkHealth = UnaryMethod<HealthCheckRequest, HealthCheckReply>(
        "energy.v1.Health/Check", isIdempotent: true, access: .to(nil))
    public static let watchHealth = StreamMethod<HealthCheckRequest, HealthCheckReply>(
        "energy.v1.Health/Watch", access: .to(nil))
    public static let listHealth = UnaryMethod<Empty, HealthListReply>(
        "energy.v1.Health/List", isIdempotent: true, access: .to(nil))
    public static let describe = UnaryMethod<Empty, DescribeReply>(
        "energy.v1.Reflection/Describe", isIdempotent: true, access: .to(nil))
}
