public import EnergyModel

extension CountedSession {
    /// What a session saved, in columns that an index can have too: so sums of years read no session.
    ///
    /// `moved_mwh` is NULL of a session that is not counted, `saved_class` of one without a baseline. It has the currency
    /// and the kind of carbon, each where what was saved is known.
    public var savingColumns: ColumnList {
        let insight = SessionInsight(self)
        let saving = SessionSaving(insight)
        let item = InsightClass(
            cleanliness: .unknown, peak: .unknown, currency: saving?.money?.currency, carbonKind: saving?.carbon?.kind)
        return ColumnList([
            ("moved_mwh", saving == nil ? nil : insight.amount.energy.milliwattHours),
            ("followed", saving?.hasFollowed), ("saved_class", saving?.hasBaseline == true ? Int64(item.code) : nil),
            ("saved_micros", saving?.money?.micros), ("saved_mg", saving?.carbon?.milligrams),
        ])
    }
}

extension Savings {
    /// What to ask of rows with `moved_mwh`, in groups by `followed` and `saved_class`.
    public static let groupColumns = """
        count(*) AS count, followed, saved_class, \(exactSum("moved_mwh")), \(exactSum("saved_micros")),
            \(exactSum("saved_mg"))
        """

    /// Adds the sessions of a group.
    public mutating func add(group: some ColumnRow) throws {
        let code: Int64? = try group["saved_class"]
        let item = code.map { InsightClass(code: Int32(truncatingIfNeeded: $0)) }
        let energy = Energy(milliwattHours: try Self.sum("moved_mwh", of: group))
        let (micros, milligrams) = (try Self.sum("saved_micros", of: group), try Self.sum("saved_mg", of: group))
        add(
            SessionSaving(
                hasFollowed: try group["followed"], hasBaseline: item != nil,
                money: item?.currency.map { Money(micros: micros, currency: $0) },
                carbon: item?.carbonKind.map { CarbonMass(milligrams: milligrams, kind: $0, energy: energy) }),
            count: try group["count"])
    }

    /// Two columns, the upper and the lower 32 bits: SQL's own sum fails beyond 64 bits, or is of a type without end.
    private static func exactSum(_ column: String) -> String {
        """
        CAST(sum(\(column) >> 32) AS BIGINT) AS \(column)_upper, CAST(sum(\(column) & 4294967295) AS BIGINT) AS \(column)_lower
        """
    }

    private static func sum(_ column: String, of row: some ColumnRow) throws(EnergyError) -> Int64 {
        let (upper, lower): (Int64?, Int64?) = (try row["\(column)_upper"], try row["\(column)_lower"])
        return Int64(clamping: Int128(upper ?? 0) << 32 + Int128(lower ?? 0))
    }
}
