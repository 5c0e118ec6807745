internal import EnergyProto

// The structs that the codecs fill and read, each with the function that protoc-c generated for its defaults.

// common.proto
extension Energy__V1__Interval: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__interval__init(message) }
}
extension Energy__V1__Device: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__device__init(message) }
}
extension Energy__V1__Empty: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__empty__init(message) }
}

// envelope.proto
extension Energy__V1__StatusDetails: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__status_details__init(message) }
}
extension Energy__V1__FieldViolation: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__field_violation__init(message) }
}

// venue.proto
extension Energy__V1__Venue: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__venue__init(message) }
}
extension Energy__V1__ListVenuesReply: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__list_venues_reply__init(message) }
}
extension Energy__V1__GetVenueRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__get_venue_request__init(message) }
}
extension Energy__V1__PutVenueRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__put_venue_request__init(message) }
}
extension Energy__V1__RemoveVenueRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__remove_venue_request__init(message) }
}
extension Energy__V1__RatePlan: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__rate_plan__init(message) }
}
extension Energy__V1__RateZone: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__rate_zone__init(message) }
}
extension Energy__V1__Season: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__season__init(message) }
}
extension Energy__V1__RateTier: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__rate_tier__init(message) }
}
extension Energy__V1__Holiday: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__holiday__init(message) }
}
extension Energy__V1__DatedRate: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__dated_rate__init(message) }
}
extension Energy__V1__ListRatePlansReply: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__list_rate_plans_reply__init(message) }
}
extension Energy__V1__RemoveRatePlanRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) {
        energy__v1__remove_rate_plan_request__init(message)
    }
}
extension Energy__V1__PutRatePlanRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__put_rate_plan_request__init(message) }
}

// demand_response.proto
extension Energy__V1__DemandResponseEvent: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__demand_response_event__init(message) }
}
extension Energy__V1__PutDemandResponseRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) {
        energy__v1__put_demand_response_request__init(message)
    }
}
extension Energy__V1__ListDemandResponseRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) {
        energy__v1__list_demand_response_request__init(message)
    }
}
extension Energy__V1__ListDemandResponseReply: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) {
        energy__v1__list_demand_response_reply__init(message)
    }
}
extension Energy__V1__CancelDemandResponseRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) {
        energy__v1__cancel_demand_response_request__init(message)
    }
}

// guidance.proto
extension Energy__V1__GuidanceRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__guidance_request__init(message) }
}
extension Energy__V1__ElectricityGuidance: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__electricity_guidance__init(message) }
}
extension Energy__V1__GuidanceValue: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__guidance_value__init(message) }
}
extension Energy__V1__ForecastSkill: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__forecast_skill__init(message) }
}
extension Energy__V1__GuidanceBasis: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__guidance_basis__init(message) }
}
extension Energy__V1__ResolveTokenRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__resolve_token_request__init(message) }
}
extension Energy__V1__ResolvedToken: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__resolved_token__init(message) }
}
extension Energy__V1__SignalHistoryRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__signal_history_request__init(message) }
}
extension Energy__V1__SignalHistoryReply: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__signal_history_reply__init(message) }
}
extension Energy__V1__SignalInterval: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__signal_interval__init(message) }
}

// signal.proto
extension Energy__V1__PutSignalsRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__put_signals_request__init(message) }
}
extension Energy__V1__SignalValues: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__signal_values__init(message) }
}
extension Energy__V1__SignalValue: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__signal_value__init(message) }
}
extension Energy__V1__PutSignalsReply: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__put_signals_reply__init(message) }
}
extension Energy__V1__ListSourcesReply: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__list_sources_reply__init(message) }
}
extension Energy__V1__SignalSource: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__signal_source__init(message) }
}
extension Energy__V1__TestSourceRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__test_source_request__init(message) }
}
extension Energy__V1__TestSourceReply: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__test_source_reply__init(message) }
}

// event.proto
extension Energy__V1__Event: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__event__init(message) }
}
extension Energy__V1__Session: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__session__init(message) }
}
extension Energy__V1__ElectricVehicleLoad: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__electric_vehicle_load__init(message) }
}
extension Energy__V1__PerformanceMetrics: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__performance_metrics__init(message) }
}
extension Energy__V1__HvacLoad: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__hvac_load__init(message) }
}
extension Energy__V1__ElectricVehicleStatus: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__electric_vehicle_status__init(message) }
}
extension Energy__V1__ChargingTarget: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__charging_target__init(message) }
}
extension Energy__V1__SubmitEventsRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__submit_events_request__init(message) }
}
extension Energy__V1__SubmitEventsReply: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__submit_events_reply__init(message) }
}
extension Energy__V1__LogRecord: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__log_record__init(message) }
}
extension Energy__V1__ReadLogRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__read_log_request__init(message) }
}
extension Energy__V1__LogPage: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__log_page__init(message) }
}
extension Energy__V1__LogBackup: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__log_backup__init(message) }
}
extension Energy__V1__SessionsRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__sessions_request__init(message) }
}
extension Energy__V1__SessionProgress: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__session_progress__init(message) }
}
extension Energy__V1__SessionList: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__session_list__init(message) }
}
extension Energy__V1__LogReader: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__log_reader__init(message) }
}
extension Energy__V1__LogReaders: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__log_readers__init(message) }
}
extension Energy__V1__RemoveReaderRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__remove_reader_request__init(message) }
}
extension Energy__V1__LogHead: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__log_head__init(message) }
}
extension Energy__V1__LogHeads: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__log_heads__init(message) }
}

// insight.proto
extension Energy__V1__InsightQuery: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__insight_query__init(message) }
}
extension Energy__V1__InsightRecord: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__insight_record__init(message) }
}
extension Energy__V1__InsightAmount: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__insight_amount__init(message) }
}
extension Energy__V1__CleanlinessSplit: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__cleanliness_split__init(message) }
}
extension Energy__V1__TariffSplit: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__tariff_split__init(message) }
}
extension Energy__V1__InsightPage: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__insight_page__init(message) }
}
extension Energy__V1__InsightWorth: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__insight_worth__init(message) }
}
extension Energy__V1__Money: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__money__init(message) }
}
extension Energy__V1__CarbonMass: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__carbon_mass__init(message) }
}
extension Energy__V1__BandSplit: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__band_split__init(message) }
}
extension Energy__V1__SessionQuery: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__session_query__init(message) }
}
extension Energy__V1__SavingsQuery: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__savings_query__init(message) }
}
extension Energy__V1__SavingsReply: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__savings_reply__init(message) }
}
extension Energy__V1__SessionInsightPage: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__session_insight_page__init(message) }
}
extension Energy__V1__SessionInsight: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__session_insight__init(message) }
}
extension Energy__V1__SessionBaseline: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__session_baseline__init(message) }
}
extension Energy__V1__ActivityQuery: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__activity_query__init(message) }
}
extension Energy__V1__ActivityPage: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__activity_page__init(message) }
}
extension Energy__V1__ActivityEntry: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__activity_entry__init(message) }
}
extension Energy__V1__RepairRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__repair_request__init(message) }
}
extension Energy__V1__RepairOrigin: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__repair_origin__init(message) }
}
extension Energy__V1__RepairReply: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__repair_reply__init(message) }
}
extension Energy__V1__ListRepairsRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__list_repairs_request__init(message) }
}
extension Energy__V1__ListRepairsReply: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__list_repairs_reply__init(message) }
}
extension Energy__V1__EventRepair: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__event_repair__init(message) }
}
extension Energy__V1__RebuildRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__rebuild_request__init(message) }
}
extension Energy__V1__RebuildProgress: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__rebuild_progress__init(message) }
}
extension Energy__V1__InsightChange: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__insight_change__init(message) }
}

// health.proto
extension Energy__V1__HealthCheckRequest: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__health_check_request__init(message) }
}
extension Energy__V1__HealthCheckReply: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__health_check_reply__init(message) }
}
extension Energy__V1__HealthListReply: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__health_list_reply__init(message) }
}
extension Energy__V1__ServiceHealth: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__service_health__init(message) }
}

// reflection.proto
extension Energy__V1__DescribeReply: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__describe_reply__init(message) }
}

// privacy.proto
extension Energy__V1__DataSubject: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__data_subject__init(message) }
}
extension Energy__V1__StoredDocument: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__stored_document__init(message) }
}
extension Energy__V1__ExportPage: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__export_page__init(message) }
}
extension Energy__V1__ErasureReceipt: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__erasure_receipt__init(message) }
}
extension Energy__V1__ErasedCount: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__erased_count__init(message) }
}
extension Energy__V1__ErasedRecords: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__erased_records__init(message) }
}
extension Energy__V1__Erasure: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__erasure__init(message) }
}
extension Energy__V1__ErasedDevice: ProtoStruct {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { energy__v1__erased_device__init(message) }
}
