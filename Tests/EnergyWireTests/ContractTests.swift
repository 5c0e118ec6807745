import EnergyModel
import Testing

@testable import EnergyWire

@Suite struct `The contract and the code say the same` {
    @Test func `every method of the contract is in Methods, with its messages, and no other is`() throws {
        let contract = try #require(ContractDescriptor())
        let described = Set(contract.methods.filter { !$0.name.hasPrefix("energy.v1.Publications/") })
        #expect(contract.methods.count == described.count + 2, "the transport answers Publications/Fetch and Follow")
        #expect(Set(methods).subtracting(described) == [], "not in the contract")
        #expect(described.subtracting(methods) == [], "not in Methods")
    }

    /// protobuf-c unpacks recursively, without a limit: 30 KB of nested messages would end the process.
    @Test func `no message can contain itself`() throws {
        let contract = try #require(ContractDescriptor())
        #expect(contract.parts.count > 50)
        func depth(_ message: String, inside path: [String]) -> Int {
            guard !path.contains(message) else {
                Issue.record("\(path.joined(separator: " > ")) > \(message)")
                return path.count
            }
            return (contract.parts[message] ?? []).map { depth($0, inside: path + [message]) }.max() ?? path.count + 1
        }
        let deepest = contract.parts.keys.map { depth($0, inside: []) }.max() ?? 0
        #expect(2...8 ~= deepest, "protobuf-c takes about 1 KiB of stack per level")
    }

    @Test func `each enum has the names and numbers of the contract`() throws {
        let contract = try #require(ContractDescriptor())
        func check<Value: ProtoEnum & CaseIterable>(_ name: String, _: Value.Type) {
            let numbered = Value.protoValues.enumerated().map { "\($1.protoName) = \($0 + 1)" }
            #expect(contract.enums[name]?.dropFirst().map { "\($0.name) = \($0.number)" } == numbered)
            #expect(Set(Value.protoValues) == Set(Value.allCases))
        }
        check("SuggestedAction", SuggestedAction.self)
        check("FlowDirection", FlowDirection.self)
        check("DeviceType", Device.Kind.self)
        check("Cleanliness", Cleanliness.self)
        check("TariffPeak", TariffPeak.self)
        check("SignalKind", SignalKind.self)
        check("HolidayObservance", Holiday.Observance.self)
        check("DemandResponseKind", DemandResponseEvent.Kind.self)
        check("SessionState", Session.State.self)
        check("ActiveReason", ActiveReason.self)
        check("IdleReason", IdleReason.self)
        check("Granularity", Granularity.self)
        check("InsightGrouping", InsightGrouping.self)
        check("ScheduleReason", ScheduleReason.self)
        check("ChargeOverride", ChargeOverride.self)
        check("OverrideAction", OverrideAction.self)
        #expect(contract.enums.keys.count == 16 + 3, "FrameKind, ChargingStatus and ServingStatus map by hand")
    }

    @Test func `the values of these tests cover every message that is a request, a reply or a chunk`() throws {
        var values = RandomValues(seed: 0)
        let covered = Set(AnyMessage.one(ofEach: &values).map(\.name))
        let travelling = Set(methods.flatMap { [$0.request, $0.reply] })
        #expect(
            travelling.subtracting(covered) == [
                "energy.v1.PutRatePlanRequest", "energy.v1.PutDeviceRequest", "energy.v1.PutDemandResponseRequest",
            ])
    }

    private var methods: [ContractDescriptor.Method] {
        [
            unary(Methods.listVenues), unary(Methods.getVenue), unary(Methods.putVenue), unary(Methods.removeVenue),
            unary(Methods.listRatePlans),
            unary(Methods.putRatePlan, request: PutRatePlanRequest.Proto.name), unary(Methods.removeRatePlan),
            unary(Methods.getGuidance),
            unary(Methods.putDemandResponse, request: PutDemandResponseRequest.Proto.name),
            unary(Methods.listDemandResponse), unary(Methods.cancelDemandResponse), unary(Methods.resolveToken),
            unary(Methods.signalHistory), unary(Methods.putSignals),
            unary(Methods.listSources), unary(Methods.testSource), unary(Methods.submitEvents),
            stream(Methods.readLog), unary(Methods.logHeads), unary(Methods.listSessions),
            unary(Methods.listReaders), unary(Methods.removeReader), unary(Methods.backUpLog),
            stream(Methods.queryInsights), stream(Methods.querySessions), stream(Methods.queryActivity),
            unary(Methods.sumSavings), unary(Methods.repairEvent),
            unary(Methods.listRepairs), stream(Methods.rebuildInsights),
            unary(Methods.listDevices), unary(Methods.putDevice, request: PutDeviceRequest.Proto.name),
            unary(Methods.removeDevice), unary(Methods.putGoal), unary(Methods.deleteGoal), unary(Methods.putRules),
            unary(Methods.getLimits), unary(Methods.putLimits), unary(Methods.putObjective),
            unary(Methods.getForecast),
            unary(Methods.putForecast), unary(Methods.previewGoal), unary(Methods.override),
            unary(Methods.listSchedules),
            stream(Methods.exportData), unary(Methods.eraseData),
            unary(Methods.checkHealth), stream(Methods.watchHealth), unary(Methods.listHealth),
            unary(Methods.describe),
        ]
    }

    private func unary<Request: ProtoMessage, Reply: ProtoMessage>(
        _ method: UnaryMethod<Request, Reply>, request: String? = nil
    ) -> ContractDescriptor.Method {
        .init(
            name: method.name, request: request ?? Request.Proto.name, reply: Reply.Proto.name,
            isStream: false)
    }

    private func stream<Request: ProtoMessage, Chunk: ProtoMessage>(
        _ method: StreamMethod<Request, Chunk>
    ) -> ContractDescriptor.Method {
        .init(
            name: method.name, request: Request.Proto.name, reply: Chunk.Proto.name, isStream: true)
    }
}
