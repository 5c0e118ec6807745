import EnergyModel
import Testing

@testable import EnergyWire

extension Sample {
    static var events: [Sample] {
        get throws {
            let session = Session(
                id: try uuid("5"), state: .active, wasFollowingGuidance: true, guidanceToken: try uuid("6"))
            let contents: [(Event.Content, String)] = [
                (
                    .vehicleLoad(
                        VehicleLoad(
                            session: session, stateOfCharge: 55, direction: .exported, powerMilliwatts: 7_000_000,
                            energyMilliwattHours: 123, estimatedRangeMillimetres: 42,
                            batteryTemperatureMillikelvin: 300_000)),
                    """
                    vehicle_load { session { id: \(bytes("5")) state: SESSION_STATE_ACTIVE
                        was_following_guidance: true guidance_token: \(bytes("6")) }
                      state_of_charge: 55 direction: FLOW_DIRECTION_EXPORTED power_mw: 7000000 energy_mwh: 123
                      performance { estimated_range_mm: 42 battery_temperature_mk: 300000 } }
                    """
                ),
                (
                    .hvacLoad(HVACLoad(session: session, stage: 66)),
                    """
                    hvac_load { session { id: \(bytes("5")) state: SESSION_STATE_ACTIVE
                        was_following_guidance: true guidance_token: \(bytes("6")) } stage: 66 }
                    """
                ),
                (
                    .vehicleStatus(
                        VehicleStatus(
                            status: .idle(.demandResponseActive), stateOfCharge: 44, energyMilliwattHours: 9,
                            estimatedRangeMillimetres: 0,
                            target: ChargingTarget(
                                stateOfCharge: 80, estimatedCompletion: time(7), scheduledStart: time(6),
                                estimatedRangeMillimetres: 5),
                            sessionID: try uuid("5"))),
                    """
                    vehicle_status { status: CHARGING_STATUS_IDLE idle_reason: IDLE_REASON_DEMAND_RESPONSE_ACTIVE
                      state_of_charge: 44 energy_mwh: 9 estimated_range_mm: 0 session_id: \(bytes("5"))
                      target { state_of_charge: 80 estimated_completion_unix_ms: 7 scheduled_start_unix_ms: 6
                        estimated_range_mm: 5 } }
                    """
                ),
            ]
            let device = Device(id: "car", name: "Car", kind: .hvac)
            let (id, venueID) = (try uuid("1"), try uuid("2"))
            let events = contents.map {
                Event(id: id, timestamp: time(3), venueID: venueID, device: device, content: $0.0)
            }
            let texts = contents.map {
                """
                events { id: \(bytes("1")) timestamp_unix_ms: 3 venue_id: \(bytes("2"))
                  device { id: "car" name: "Car" type: DEVICE_TYPE_HVAC } \($0.1) }
                """
            }.joined(separator: "\n")
            return [
                Sample(EventBatch(events: events), texts),
                Sample(
                    LogRecord(
                        partition: 5, sequence: 6, venueID: venueID, received: time(8), principal: "local",
                        events: events),
                    """
                    partition: 5 sequence: 6 venue_id: \(bytes("2")) received_unix_ms: 8 principal: "local" \(texts)
                    """),
                Sample(
                    LogRecord(
                        partition: 5, sequence: 7, venueID: venueID, received: time(8), principal: "erased",
                        events: [], erasure: Erasure(device: Erasure.Device(salt: 9, digest: 10))),
                    """
                    partition: 5 sequence: 7 venue_id: \(bytes("2")) received_unix_ms: 8 principal: "erased"
                    erasure { device { salt: 9 digest: 10 } }
                    """),
                Sample(
                    DataSubject(venueID: try uuid("1"), deviceID: "car"),
                    "venue_id: \(bytes("1")) device_id: \"car\""),
                Sample(
                    ExportPage(documents: [StoredDocument(kind: "goal", json: "{}")]),
                    "documents { kind: \"goal\" json: \"{}\" }"),
                Sample(
                    ErasureReceipt(
                        service: "s", subject: DataSubject(venueID: try uuid("1")), erased: time(3),
                        counts: [ErasedCount(kind: "event", count: 4)],
                        records: ErasedRecords(
                            partition: 1, sequences: [2, 5], count: 6, hash: [65], erasureSequence: 7, unreadable: 8)),
                    """
                    service: "s" subject { venue_id: \(bytes("1")) } erased_unix_ms: 3
                    counts { kind: "event" count: 4 }
                    records { partition: 1 sequences: 2 sequences: 5 count: 6 sha256: "A" erasure_sequence: 7
                      unreadable: 8 }
                    """),
                Sample(SubmitResult(accepted: 3, duplicates: 4), "accepted: 3 duplicates: 4"),
                Sample(
                    LogPosition(
                        partition: 3, afterSequence: 4, reader: "r", logID: try uuid("1"), afterChecksum: 0),
                    "partition: 3 after_sequence: 4 reader: \"r\" log_id: \(bytes("1")) after_checksum: 0"),
                Sample(
                    LogReaderList(readers: [
                        LogReaderState(
                            name: "r", handled: [LogHead(partition: 2, sequence: 9)], lastSeen: time(7), isGivenUp: true
                        )
                    ]),
                    """
                    readers { name: "r" handled { partition: 2 sequence: 9 } last_seen_unix_ms: 7 is_given_up: true }
                    """),
                Sample(LogReaderReference(name: "r"), "name: \"r\""),
                Sample(SessionFilter(venueID: try uuid("1")), "venue_id: \(bytes("1"))"),
                Sample(
                    SessionList(sessions: [
                        SessionProgress(
                            id: try uuid("1"), venueID: try uuid("2"), deviceID: "d", kind: .electricVehicle,
                            direction: .exported,
                            began: time(3), last: time(4),
                            energyMilliwattHours: 5, isEnded: true, isAbandoned: true)
                    ]),
                    """
                    sessions { id: \(bytes("1")) venue_id: \(bytes("2")) device_id: "d"
                    device_type: DEVICE_TYPE_ELECTRIC_VEHICLE direction: FLOW_DIRECTION_EXPORTED began_unix_ms: 3
                    last_unix_ms: 4 energy_mwh: 5 is_ended: true is_abandoned: true }
                    """),
                Sample(LogBackup(file: "/f", bytes: 5), "file: \"/f\" bytes: 5"),
            ]
        }
    }

    static var insights: [Sample] {
        get throws {
            func amount(_ number: Int64) -> InsightAmount {
                InsightAmount(energy: energy(number), runtimeMilliseconds: number * 10)
            }
            func text(_ number: Int64) -> String { "{ energy_mwh: \(number) runtime_ms: \(number * 10) }" }
            return [
                Sample(
                    InsightQuery(
                        venueID: try uuid("1"), deviceID: "car", range: try interval(1, 2), granularity: .weekly,
                        direction: .exported, byCleanliness: false, byTariff: true, exactRange: false),
                    """
                    venue_id: \(bytes("1")) device_id: "car" range { start_unix_ms: 1 end_unix_ms: 2 }
                    granularity: GRANULARITY_WEEKLY direction: FLOW_DIRECTION_EXPORTED by_tariff: true
                    """),
                Sample(
                    InsightPage(
                        records: [
                            InsightRecord(
                                interval: try interval(1, 2), total: amount(21),
                                byCleanliness: [
                                    .cleaner: amount(1), .lessClean: amount(2), .avoid: amount(3),
                                    .unknown: amount(4),
                                ],
                                byTariff: [
                                    .superOffPeak: amount(1), .offPeak: amount(2), .partialPeak: amount(3),
                                    .onPeak: amount(4), .criticalPeak: amount(5), .unknown: amount(6),
                                ])
                        ], applied: [LogHead(partition: 15, sequence: 99)]),
                    """
                    records { interval { start_unix_ms: 1 end_unix_ms: 2 } total \(text(21))
                      by_cleanliness { cleaner \(text(1)) less_clean \(text(2)) avoid \(text(3)) unknown \(text(4)) }
                      by_tariff { super_off_peak \(text(1)) off_peak \(text(2)) partial_peak \(text(3))
                        on_peak \(text(4)) critical_peak \(text(5)) unknown \(text(6)) } }
                    applied { partition: 15 sequence: 99 }
                    """),
                Sample(
                    InsightChange(venueID: try uuid("1"), deviceID: "car", interval: try interval(3, 4)),
                    #"venue_id: \#(bytes("1")) device_id: "car" interval { start_unix_ms: 3 end_unix_ms: 4 }"#),
            ]
        }
    }

    static var schedules: [Sample] {
        get throws {
            let goal = Goal(
                id: try uuid("3"), venueID: try uuid("2"), deviceID: "car", readyBy: time(9),
                target: .energy(energy(50)), created: time(1))
            return [
                Sample(
                    ManagedDevice(
                        device: Device(id: "car", name: "Car", kind: .electricVehicle), venueID: try uuid("2"),
                        vehicle: VehicleTraits(
                            batteryCapacity: energy(60), powerMax: try Power(milliwatts: 11), efficiency: 0.75)),
                    """
                    device { id: "car" name: "Car" type: DEVICE_TYPE_ELECTRIC_VEHICLE } venue_id: \(bytes("2"))
                    vehicle { battery_capacity_mwh: 60 power_max_mw: 11 efficiency: 0.75 }
                    """),
                Sample(
                    GoalDraft(
                        venueID: try uuid("2"), deviceID: "pump", readyBy: time(9), target: .reduce(maxMilliseconds: 7)),
                    #"goal { venue_id: \#(bytes("2")) device_id: "pump" ready_by_unix_ms: 9 reduce_max_ms: 7 }"#),
                Sample(
                    Schedule(
                        id: try uuid("1"), venueID: try uuid("2"), deviceID: "car", goal: goal, revision: 4,
                        planned: time(1), guidanceToken: try uuid("6"),
                        blocks: [
                            ScheduleBlock(
                                interval: try interval(1, 9), power: try Power(milliwatts: 11), stageMax: 30,
                                energy: energy(20), rating: 0.125, reason: .waitingForLowerRates)
                        ],
                        required: energy(50), plannedEnergy: energy(20), explanation: "Waits."),
                    """
                    id: \(bytes("1")) venue_id: \(bytes("2")) device_id: "car" revision: 4 planned_unix_ms: 1
                    goal { id: \(bytes("3")) venue_id: \(bytes("2")) device_id: "car" ready_by_unix_ms: 9
                      energy_mwh: 50 created_unix_ms: 1 }
                    guidance_token: \(bytes("6")) required_mwh: 50 planned_mwh: 20 missing_mwh: 30
                    explanation: "Waits."
                    blocks { interval { start_unix_ms: 1 end_unix_ms: 9 } power_mw: 11 stage_max: 30 energy_mwh: 20
                      rating: 0.125 reason: SCHEDULE_REASON_WAITING_FOR_LOWER_RATES }
                    """),
            ]
        }
    }
}
