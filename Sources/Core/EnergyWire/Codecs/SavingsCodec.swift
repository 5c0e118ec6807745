internal import EnergyModel
internal import EnergyProto

extension SavingsQuery: ProtoMessage {
    func write(to proto: inout Energy__V1__SavingsQuery, _ arena: inout Arena) {
        proto.sessions = arena.message(sessions)
        proto.newest = UInt32(clamping: newest)
    }

    init(reading proto: Energy__V1__SavingsQuery) throws(FieldError) {
        self.init(
            sessions: try proto.sessions.required("sessions"),
            newest: Int(try proto.newest.within(0...UInt32(Self.newestMax), "newest")))
    }
}

extension SavingsAnswer: ProtoMessage {
    func write(to proto: inout Energy__V1__SavingsReply, _ arena: inout Arena) {
        proto.sessions = UInt32(clamping: savings.sessionCount)
        proto.followed_guidance = UInt32(clamping: savings.followedCount)
        proto.compared = UInt32(clamping: savings.comparedCount)
        (proto.n_costs, proto.costs) = arena.messages(savings.costs)
        (proto.n_carbon, proto.carbon) = arena.messages(savings.carbon)
        proto.without_baseline = UInt32(clamping: savings.withoutBaseline)
        proto.without_price = UInt32(clamping: savings.withoutPrice)
        proto.without_carbon = UInt32(clamping: savings.withoutCarbon)
        (proto.n_newest, proto.newest) = arena.messages(newest)
        (proto.n_applied, proto.applied) = arena.messages(applied)
    }

    init(reading proto: Energy__V1__SavingsReply) throws(FieldError) {
        var savings = Savings(
            costs: try proto.costs.messages("costs", count: proto.n_costs, max: 200),
            carbon: try proto.carbon.messages("carbon", count: proto.n_carbon, max: SignalKind.allCases.count))
        savings.sessionCount = Int(proto.sessions)
        savings.followedCount = Int(proto.followed_guidance)
        savings.comparedCount = Int(proto.compared)
        savings.withoutBaseline = Int(proto.without_baseline)
        savings.withoutPrice = Int(proto.without_price)
        savings.withoutCarbon = Int(proto.without_carbon)
        self.init(
            savings: savings,
            newest: try proto.newest.messages("newest", count: proto.n_newest, max: SavingsQuery.newestMax),
            applied: try proto.applied.messages("applied", count: proto.n_applied, max: LogPartition.count))
    }
}
