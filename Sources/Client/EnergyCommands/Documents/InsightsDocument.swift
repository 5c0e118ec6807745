internal import EnergyModel
internal import Foundation

struct InsightsDocument: Encodable {
    struct Amount: Encodable {
        /// `nil` where none is known: of heating and cooling.
        let energyMwh: Int64?
        let runtimeMs: Int64
        /// Of heating and cooling run time times stage; of others the run time.
        let weightedRuntimeMs: Int64

        init(_ amount: InsightAmount, measuresEnergy: Bool) {
            energyMwh = measuresEnergy ? amount.energy.milliwattHours : nil
            runtimeMs = amount.runtimeMilliseconds
            weightedRuntimeMs = amount.weightedRuntimeMilliseconds
        }
    }
    struct Record: Encodable {
        let start: String
        let end: String
        let deviceId: String?
        let deviceType: String?
        let total: Amount
        let worth: WorthDocument
        let byCleanliness: [String: Amount]?
        let byTariff: [String: Amount]?
        let byRating: [String: Amount]?

        init(_ record: InsightRecord, in zone: TimeZone) {
            start = record.interval.start.iso8601(in: zone)
            end = record.interval.end.iso8601(in: zone)
            deviceId = record.deviceID
            deviceType = record.deviceKind.map { Words.snake($0.rawValue) }
            let measures = record.measuresEnergy
            total = Amount(record.total, measuresEnergy: measures)
            worth = WorthDocument(record.knownWorth)
            byCleanliness = record.byCleanliness.map { InsightsDocument.named($0, measuresEnergy: measures) }
            byTariff = record.byTariff.map { InsightsDocument.named($0, measuresEnergy: measures) }
            byRating = record.byBand.map { InsightsDocument.named($0, measuresEnergy: measures) }
        }
    }

    static func named<Class: RawRepresentable<String>>(
        _ split: [Class: InsightAmount], measuresEnergy: Bool
    ) -> [String: Amount] {
        Dictionary(
            uniqueKeysWithValues: split.map {
                (Words.snake($0.rawValue), Amount($1, measuresEnergy: measuresEnergy))
            })
    }

    struct Head: Encodable {
        let partition: Int
        let sequence: UInt64

        init(_ head: LogHead) { (partition, sequence) = (head.partition, head.sequence) }
    }
    /// What was asked for. Its members stand beside the others.
    struct Question: Encodable {
        let venueId: String
        let deviceId: String?
        let granularity: String
        let direction: String
        let start: String
        let end: String

        init(_ query: InsightQuery, in zone: TimeZone) {
            venueId = query.venueID.text
            deviceId = query.deviceID
            granularity = query.granularity.rawValue
            direction = query.direction.rawValue
            start = query.range.start.iso8601(in: zone)
            end = query.range.end.iso8601(in: zone)
        }
    }
    let question: Question
    let records: [Record]
    let total: Record?
    /// That began in the time, when it was to be explained.
    let sessions: [SessionInsightDocument]?
    /// By the sessions that began in the time, together.
    let saved: SavingsDocument?
    let applied: [Head]
    /// What is in the log, and not in this; absent where nothing is, and where that cannot be said.
    let behind: UncountedDocument?

    init(
        _ answer: InsightPage, to query: InsightQuery, sessions: [SessionInsight]? = nil,
        saved: Savings? = nil, behind: UncountedEvents? = nil, in zone: TimeZone
    ) {
        question = Question(query, in: zone)
        records = answer.records.map { Record($0, in: zone) }
        total = answer.records.isEmpty ? nil : Record(InsightTotals.sum(answer.records), in: zone)
        self.sessions = sessions?.map { SessionInsightDocument($0, in: zone) }
        self.saved = saved.map(SavingsDocument.init)
        applied = answer.applied.map(Head.init)
        self.behind = behind.map { UncountedDocument($0, in: zone) }
    }
    private enum CodingKeys: CodingKey { case records, total, sessions, saved, applied, behind }

    func encode(to encoder: any Encoder) throws {
        try question.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(records, forKey: .records)
        try members.encodeIfPresent(total, forKey: .total)
        try members.encodeIfPresent(sessions, forKey: .sessions)
        try members.encodeIfPresent(saved, forKey: .saved)
        try members.encode(applied, forKey: .applied)
        try members.encodeIfPresent(behind, forKey: .behind)
    }
}
