import EnergyModel
import EnergyWire

extension RandomValues {
    mutating func device() -> Device { Device(id: text(), name: text(), kind: one(of: Device.Kind.allCases)) }

    mutating func session() -> Session {
        Session(
            id: uuid(), state: one(of: Session.State.allCases), wasFollowingGuidance: bool(), guidanceToken: uuid())
    }

    mutating func event() -> Event {
        let content: Event.Content =
            switch int(0...2) {
            case 0:
                .vehicleLoad(
                    VehicleLoad(
                        session: session(), stateOfCharge: int32(), direction: one(of: FlowDirection.allCases),
                        powerMilliwatts: wide(), energyMilliwattHours: wide(),
                        estimatedRangeMillimetres: maybe { $0.wide() },
                        batteryTemperatureMillikelvin: maybe { $0.wide() }, isStateOfChargeKnown: bool()))
            case 1: .hvacLoad(HVACLoad(session: session(), stage: int32()))
            default: .vehicleStatus(vehicleStatus())
            }
        return Event(id: uuid(), timestamp: timestamp(), venueID: uuid(), device: device(), content: content)
    }

    private mutating func vehicleStatus() -> VehicleStatus {
        let status: VehicleStatus.Status =
            switch int(0...3) {
            case 0: .pluggedIn
            case 1: .unplugged
            case 2: .active(one(of: ActiveReason.allCases))
            default: .idle(one(of: IdleReason.allCases))
            }
        return VehicleStatus(
            status: status, stateOfCharge: int32(), energyMilliwattHours: wide(),
            estimatedRangeMillimetres: maybe { $0.wide() },
            target: maybe {
                ChargingTarget(
                    stateOfCharge: $0.int32(), estimatedCompletion: $0.timestamp(), scheduledStart: $0.timestamp(),
                    estimatedRangeMillimetres: $0.maybe { $0.wide() })
            },
            sessionID: maybe { $0.uuid() })
    }

    mutating func logRecord() -> LogRecord {
        LogRecord(
            partition: int(0...LogPartition.count - 1), sequence: uint64(), venueID: uuid(), received: timestamp(),
            principal: text(), events: list(0...5) { $0.event() }, checksum: maybe { $0.uint32() },
            erasure: maybe { values in
                Erasure(device: values.maybe { Erasure.Device(salt: $0.uint64(), digest: $0.uint64()) })
            })
    }

    mutating func dataSubject() -> DataSubject {
        // An empty id is that of no device.
        DataSubject(venueID: uuid(), deviceID: maybe { "x" + $0.text() })
    }

    mutating func erasureReceipt() -> ErasureReceipt {
        ErasureReceipt(
            service: text(), subject: dataSubject(), erased: timestamp(),
            counts: list(0...5) { ErasedCount(kind: $0.text(), count: $0.int(0...Int.max)) },
            records: maybe { values in
                ErasedRecords(
                    partition: values.int(0...15), sequences: values.list(0...20) { $0.uint64() },
                    count: values.int(0...Int.max), hash: values.list(0...32) { UInt8($0.int(0...255)) },
                    erasureSequence: values.uint64(), unreadable: values.int(0...Int.max))
            })
    }

    mutating func sessionProgress() -> SessionProgress {
        SessionProgress(
            id: uuid(), venueID: uuid(), deviceID: text(), kind: one(of: Device.Kind.allCases),
            direction: maybe { $0.one(of: FlowDirection.allCases) }, began: timestamp(), last: timestamp(),
            energyMilliwattHours: Int64(int(0...1_000_000_000)), isEnded: bool(), isAbandoned: bool())
    }

    mutating func logHead() -> LogHead {
        LogHead(
            partition: int(0...LogPartition.count - 1), sequence: uint64(), removedSequence: uint64(),
            checksum: maybe { $0.uint32() })
    }

    mutating func logReader() -> LogReaderState {
        LogReaderState(
            name: text(), handled: list(0...16) { $0.logHead() }, lastSeen: timestamp(), isGivenUp: bool())
    }

    mutating func venue() -> Venue {
        Venue(
            id: uuid(), name: text(), timeZone: timeZone(), region: text(), ratePlanID: maybe { $0.text() },
            homeIDs: list(0...16) { $0.uuid() }, priceWeight: maybe { $0.double() }, changed: timestamp(),
            removed: maybe { $0.timestamp() }.flatMap { $0.unixMilliseconds == 0 ? nil : $0 })
    }

    mutating func venueDraft() -> VenueDraft {
        VenueDraft(
            id: maybe { $0.uuid() }, name: text(), timeZone: timeZone(), region: text(),
            ratePlanID: maybe { $0.text() }, homeIDs: list(0...16) { $0.uuid() },
            priceWeight: maybe { $0.double() })
    }

    mutating func guidance() -> Guidance {
        Guidance(
            token: uuid(), venueID: uuid(), action: one(of: SuggestedAction.allCases), interval: interval(),
            values: list(0...100) {
                GuidanceValue(
                    interval: $0.interval(), rating: $0.double(), carbonIntensity: $0.maybe { $0.double() },
                    price: $0.maybe { $0.price() }, peak: $0.one(of: TariffPeak.allCases), isPeakDerived: $0.bool(),
                    exportPrice: $0.maybe { $0.price() })
            },
            locationHasRatePlan: bool(), incorporatesRatePlan: bool(), issued: timestamp(),
            basis: GuidanceBasis(
                source: text(), kind: one(of: SignalKind.allCases), method: text(), priceWeight: double(),
                relativeSpread: double(), dataAgeMilliseconds: wide(), isForecast: bool(),
                currency: maybe { $0.currency() }, skippedSources: list(0...5) { $0.text() },
                certainty: double(), carbonNoise: double(), priceRelativeSpread: double(),
                priceSource: maybe { $0.text() }, forecastMethod: maybe { $0.text() },
                forecastSkill: maybe { $0.forecastSkill() }, events: list(0...3) { $0.demandResponseEvent() },
                withholdsValues: bool(), tiers: maybe { $0.bool() ? .first : .monthToDate($0.energy()) },
                unpriced: list(0...3) { $0.interval() }, comparesPast: bool(), forecastMilliseconds: wide()))
    }

    mutating func forecastSkill() -> ForecastSkill {
        ForecastSkill(
            issues: int(0...29), rankCorrelation: double(), capturedShare: double(), relativeError: double(),
            absoluteError: double())
    }

    mutating func signalInterval() -> SignalInterval {
        SignalInterval(
            interval: interval(), carbonIntensity: maybe { $0.double() }, kind: one(of: SignalKind.allCases),
            price: maybe { $0.price() }, currency: maybe { $0.currency() },
            cleanliness: one(of: Cleanliness.allCases), peak: one(of: TariffPeak.allCases), isEstimated: bool(),
            source: text(), isPeakDerived: bool(), exportPrice: maybe { $0.price() }, isUsual: bool())
    }

    mutating func insightQuery() -> InsightQuery {
        InsightQuery(
            venueID: uuid(), deviceID: maybe { $0.deviceID() }, deviceKind: maybe { $0.one(of: Device.Kind.allCases) },
            grouping: one(of: InsightGrouping.allCases), range: interval(),
            granularity: one(of: Granularity.allCases), direction: one(of: FlowDirection.allCases),
            byCleanliness: bool(), byTariff: bool(), byBand: bool(), exactRange: bool())
    }

    mutating func insightRecord() -> InsightRecord {
        InsightRecord(
            interval: interval(), deviceID: maybe { $0.text() },
            deviceKind: maybe { $0.one(of: Device.Kind.allCases) }, total: amount() ?? .zero, worth: worth(),
            byCleanliness: maybe { $0.split() }, byTariff: maybe { $0.split() }, byBand: maybe { $0.split() })
    }

    mutating func sessionQuery() -> SessionQuery {
        SessionQuery(
            venueID: uuid(), deviceID: maybe { $0.deviceID() }, deviceKind: maybe { $0.one(of: Device.Kind.allCases) },
            range: interval())
    }

    mutating func sessionInsight() -> SessionInsight {
        SessionInsight(
            key: SessionKey(venueID: uuid(), sessionID: uuid()), deviceID: text(),
            deviceKind: one(of: Device.Kind.allCases), direction: one(of: FlowDirection.allCases), began: timestamp(),
            last: timestamp(), isOver: bool(), wasFollowingGuidance: bool(),
            stateOfChargeAtBegin: maybe { $0.one(of: [0, 55, 100]) },
            stateOfChargeAtLast: maybe { $0.one(of: [0, 55, 100]) }, amount: amount() ?? .zero, worth: worth(),
            byCleanliness: split(), byTariff: split(), byBand: split(),
            baseline: maybe { SessionBaseline(interval: $0.interval(), power: $0.power(), worth: $0.worth()) },
            isRepaired: bool())
    }

    mutating func savingsQuery() -> SavingsQuery {
        SavingsQuery(sessions: sessionQuery(), newest: one(of: [0, 1, SavingsQuery.newestMax]))
    }

    mutating func savingsAnswer() -> SavingsAnswer {
        var savings = Savings(
            costs: list(0...2) { Money(micros: $0.wide(), currency: $0.currency()) }, carbon: list(0...2) { $0.mass() })
        (savings.sessionCount, savings.followedCount, savings.comparedCount) = (int(0...9), int(0...9), int(0...9))
        savings.withoutBaseline = int(0...9)
        (savings.withoutPrice, savings.withoutCarbon) = (int(0...9), int(0...9))
        return SavingsAnswer(
            savings: savings, newest: list(0...2) { $0.sessionInsight() }, applied: list(0...2) { $0.logHead() })
    }

    mutating func activityQuery() -> ActivityQuery {
        ActivityQuery(
            venueID: uuid(), deviceID: maybe { $0.deviceID() },
            kinds: Set(list(0...4) { $0.one(of: Activity.Kind.allCases) }), range: interval())
    }

    mutating func activity() -> ToldActivity {
        ToldActivity(
            activity: Activity(
                id: uuid(), venueID: uuid(), device: device(), time: timestamp(),
                content: bool() ? .session(sessionInsight()) : .status(vehicleStatus())), text: text())
    }

    mutating func repairAction() -> EventRepair.Action {
        one(of: [.ignore, .asSent, .energy(Energy(milliwattHours: one(of: [0, 7, Energy.range.upperBound])))])
    }

    /// What an event counted as: as it was sent is an energy.
    private mutating func countedAction() -> EventRepair.Action {
        bool() ? .ignore : .energy(counter())
    }

    mutating func repair() -> EventRepair {
        EventRepair(
            venueID: uuid(), sessionID: uuid(), eventID: uuid(), action: repairAction(), reason: text(),
            principal: text(), made: timestamp(), takenOverBy: maybe { $0.text() + "." },
            before: maybe { $0.countedAction() }, sessionBefore: maybe { $0.counter() },
            sessionAfter: maybe { $0.counter() })
    }

    private mutating func counter() -> Energy { Energy(milliwattHours: one(of: [0, 7, Energy.range.upperBound])) }

    private mutating func worth() -> InsightWorth {
        InsightWorth(
            costs: list(0...2) { Money(micros: $0.wide(), currency: $0.currency()) }, pricedEnergy: energy(),
            carbon: list(0...2) { $0.mass() })
    }

    private mutating func mass() -> CarbonMass {
        CarbonMass(milligrams: wide(), kind: one(of: SignalKind.allCases), energy: energy())
    }

    private mutating func split<Class: Hashable & CaseIterable>() -> [Class: InsightAmount] {
        Dictionary(uniqueKeysWithValues: Class.allCases.map { ($0, amount()) }).compactMapValues { $0 }
    }

    /// `nil` for an amount of zero, which a split does not contain.
    private mutating func amount() -> InsightAmount? {
        let amount = InsightAmount(
            energy: energy(), runtimeMilliseconds: wide(), weightedRuntimeMilliseconds: maybe { $0.wide() })
        return amount == .zero || bool() ? nil : amount
    }

    mutating func managedDevice() -> ManagedDevice {
        ManagedDevice(
            device: device(), venueID: uuid(),
            vehicle: maybe {
                VehicleTraits(
                    batteryCapacity: $0.energy(), powerMax: $0.power(), efficiency: $0.one(of: [0.5, 0.9, 1]),
                    phases: $0.one(of: [[1], [2, 3], [1, 2, 3]]),
                    powerStep: $0.one(of: [nil, try? Power(milliwatts: 230_000)]),
                    currentStep: $0.maybe {
                        .init(milliamperes: Int64($0.int(1...9_000)), millivolts: Int64($0.int(1...400_000)))
                    },
                    taper: $0.maybe { .init(percent: $0.int(1...99), powerAtFull: $0.power()) })
            }, rules: chargingRules(), load: maybe { $0.homeLoad() })
    }

    mutating func chargingRules() -> ChargingRules {
        ChargingRules(
            stateOfChargeMin: int32(), priceMax: maybe { Price(microsPerKilowattHour: $0.wide()) },
            carbonMax: maybe { $0.double() },
            absences: list(0...5) {
                $0.bool()
                    ? .once($0.interval())
                    : .weekly(
                        Weekdays(rawValue: UInt32($0.int(1...127))), startMinute: $0.int(0...1439),
                        endMinute: $0.int(0...1440))
            }, priority: int32(), shape: maybe { $0.chargingShape() } ?? ChargingShape())
    }

    private mutating func homeLoad() -> HomeLoad {
        let phases = one(of: [[1], [2, 3], [1, 2, 3]])
        switch int(0...2) {
        case 0:
            return .battery(
                BatteryTraits(
                    capacity: energy(), chargeMax: power(), dischargeMax: power(), chargeEfficiency: one(of: [0.5, 1]),
                    dischargeEfficiency: one(of: [0.9, 1]), reservePercent: int(0...100),
                    wear: Price(microsPerKilowattHour: wide()), phases: phases, stateOfCharge: double()))
        case 1:
            return .appliance(
                ApplianceTraits(
                    steps: list(0...5) { .init(milliseconds: $0.wide(), power: $0.power()) }, phases: phases))
        default:
            var climate = ClimateTraits(
                resistance: double(), capacity: double(), performance: double(), comfortMin: double(),
                comfortMax: double(), powerMax: power(), indoor: double(), outdoor: double())
            climate.isCooling = bool()
            climate.setback = double()
            climate.setbackMinMilliseconds = wide()
            climate.powerMin = power()
            (climate.runMinMilliseconds, climate.pauseMinMilliseconds) = (wide(), wide())
            climate.phases = phases
            return .climate(climate)
        }
    }

    private mutating func chargingShape() -> ChargingShape {
        ChargingShape(
            runMinMilliseconds: wide(), pauseMinMilliseconds: wide(), runsMax: maybe { $0.int(1...100) },
            ties: one(of: TieBreak.allCases), marginMilliseconds: wide(), preconditionMilliseconds: wide(),
            startCost: double())
    }

    mutating func venueLimits() -> VenueLimits {
        VenueLimits(
            venueID: uuid(), importPower: maybe { $0.power() }, exportPower: maybe { $0.power() },
            circuits: list(0...5) {
                VenueLimits.Circuit(
                    name: $0.text(), parent: $0.maybe { _ in "fuse" }, power: $0.maybe { $0.power() },
                    powerPerPhase: $0.maybe { $0.power() }, deviceIDs: $0.list(0...3) { $0.text() },
                    carriesBaseLoad: $0.bool())
            }, exclusive: list(0...3) { $0.list(0...3) { $0.text() } },
            demandCharge: maybe { .init(microsPerKilowatt: $0.wide(), peakSoFar: $0.power()) },
            baseLoad: bool() ? [power(), power(), power()] : [], exportPrice: Price(microsPerKilowattHour: wide()),
            isDefault: bool(),
            objective: maybe { $0.venueObjective() })
    }

    mutating func venueObjective() -> VenueObjective {
        VenueObjective(money: double(), carbon: double(), rating: double())
    }

    mutating func venueForecast() -> VenueForecast {
        func value(_ random: inout RandomValues) -> VenueForecast.Value {
            VenueForecast.Value(interval: random.interval(), power: random.power())
        }
        return VenueForecast(
            venueID: uuid(), photovoltaics: list(0...9, value), baseLoad: list(0...9, value),
            outdoor: list(0...9) { .init(interval: $0.interval(), celsius: $0.double()) })
    }

    mutating func weeklyTime() -> WeeklyTime {
        WeeklyTime(
            weekdays: Weekdays(rawValue: UInt32(int(1...127))), minuteOfDay: int(0...1439),
            exceptions: list(0...9) { Int64($0.int(0...100_000)) })
    }

    mutating func goalPreview() -> GoalPreview {
        GoalPreview(planned: course(), atOnce: course(), best: course(), currency: maybe { _ in "EUR" })
    }

    private mutating func course() -> GoalPreview.Course {
        GoalPreview.Course(
            blocks: list(0...5) { $0.scheduleBlock() }, planned: energy(), missing: energy(),
            costMicros: maybe { $0.wide() }, carbonGrams: maybe { $0.double() }, rating: double(), explanation: text())
    }

    private mutating func scheduleBlock() -> ScheduleBlock {
        ScheduleBlock(
            interval: interval(), power: power(), stageMax: int32(), energy: energy(), rating: double(),
            reason: one(of: ScheduleReason.allCases), isDischarging: bool())
    }

    private mutating func goal() -> Goal {
        Goal(
            id: uuid(), venueID: uuid(), deviceID: text(), readyBy: timestamp(), target: goalTarget(),
            created: timestamp(), weekly: maybe { $0.weeklyTime() }, guaranteedPercent: int(0...100))
    }

    mutating func goalTarget() -> Goal.Target {
        switch int(0...3) {
        case 0: .energy(energy())
        case 1: .stateOfCharge(int32())
        case 2: .run
        default: .reduce(maxMilliseconds: wide())
        }
    }

    mutating func goalDraft() -> GoalDraft {
        GoalDraft(
            venueID: uuid(), deviceID: text(), readyBy: timestamp(), target: goalTarget(),
            weekly: maybe { $0.weeklyTime() }, keepsOthers: bool(), guaranteedPercent: int(0...100))
    }

    mutating func schedule() -> Schedule {
        let goal = goal()
        return Schedule(
            id: uuid(), venueID: uuid(), deviceID: text(), goal: goal, revision: uint64(), planned: timestamp(),
            guidanceToken: maybe { $0.uuid() }, blocks: list(0...20) { $0.scheduleBlock() },
            required: energy(), plannedEnergy: energy(), explanation: text(),
            goals: [goal] + list(0...3) { $0.goal() }, override: maybe { $0.one(of: ChargeOverride.allCases) },
            optimalityGap: Double(int(0...1_000)) / 1_000)
    }
}
