internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import ServiceEndpoints

/// The newest events that the event-ingestor has published and still holds in memory. For who may read the events of a
/// venue, but not the log, which holds all venues'.
struct RetainedEvents {
    /// A publisher keeps no more of a topic.
    private static let perTopicMax = 256

    private struct Place: Hashable {
        let epoch: UInt64
        let sequence: UInt64
    }

    private let context: CommandContext
    /// Of topics.
    private let prefix: String
    /// The newest of each topic that was told.
    private var told: [String: Place] = [:]

    init(context: CommandContext, prefix: String) {
        self.context = context
        self.prefix = prefix
    }

    /// The newest `limit` events at or after `since` that were not told yet, in the order of their arrival.
    mutating func newest(limit: Int, since: Timestamp? = nil) async throws(CommandFailure) -> [Event] {
        var records: [LogRecord] = []
        for (topic, head) in try await heads() {
            records += try await fetch(topic, head, countMax: min(limit, Self.perTopicMax))
        }
        records.sort { ($0.received, $0.sequence) < ($1.received, $1.sequence) }
        let events = records.flatMap(\.events).filter { event in since.map { event.timestamp >= $0 } ?? true }
        return Array(events.suffix(limit))
    }

    /// What a publication brings, unless it was told.
    mutating func events(of publication: Publication) -> [Event] {
        guard let record = try? LogRecord(decoding: publication.body) else { return [] }
        let place = Place(epoch: publication.epoch, sequence: publication.sequence)
        if let last = told[publication.topic], last.epoch == place.epoch, place.sequence <= last.sequence { return [] }
        told[publication.topic] = place
        return record.events
    }

    /// How far each topic is: who follows a prefix is told first.
    private func heads() async throws(CommandFailure) -> [(topic: String, head: Place)] {
        let request = FollowRequest(prefix: prefix)
        let stream = try context.connection(.events)
            .stream(FollowRequest.method, request.encoded, options: CallOptions(timeout: context.timeout))
        var chunks = stream.makeAsyncIterator()
        var heads: [(topic: String, head: Place)] = []
        var count: UInt32?
        do throws(CallFailure) {
            while count.map({ heads.count < $0 }) ?? true, let chunk = try await chunks.next() {
                guard let item = FollowedPublication(decoding: chunk), let header = Self.header(item.frame) else {
                    continue
                }
                switch header.kind {
                // More topics than can be said at once have no heads.
                case .welcome: count = header.sequence == .max ? 0 : header.sequence
                case .head: heads.append((item.topic, Place(epoch: header.epoch, sequence: header.topicSequence)))
                default: break
                }
            }
        } catch { throw await context.failure(EnergyError(error), from: .events) }
        return heads
    }

    private static func header(_ frame: [UInt8]) -> Header? {
        frame.withUnsafeBytes { bytes in
            guard case .frame(let header, _) = Frame.parse(bytes) else { return nil }
            return header
        }
    }

    /// What is still there of a topic behind what was told, the newest `countMax` at most.
    private mutating func fetch(
        _ topic: String, _ head: Place, countMax: Int
    ) async throws(CommandFailure) -> [LogRecord] {
        let last = told[topic].flatMap { $0.epoch == head.epoch ? $0.sequence : nil } ?? 0
        var count = min(UInt64(countMax), head.sequence > last ? head.sequence - last : 0)
        var records: [LogRecord] = []
        var from = head.sequence - count + 1
        let connection = try context.connection(.events)
        while count > 0, from <= head.sequence {
            let request = FetchRequest(topic: topic, epoch: head.epoch, fromSequence: from)
            do throws(CallFailure) {
                let options = CallOptions(timeout: context.timeout, isIdempotent: true)
                let bytes = try await connection.call(FetchRequest.method, request.encoded, options: options)
                guard let reply = FetchReply(decoding: bytes), let newest = reply.publications.last?.sequence else {
                    break
                }
                records += reply.publications.compactMap { try? LogRecord(decoding: $0.body) }
                from = newest + 1
            } catch {
                guard error.code == .outOfRange else { throw await context.failure(EnergyError(error), from: .events) }
                // So many are not kept, or not any more.
                count /= 2
                from = head.sequence - count + 1
            }
        }
        told[topic] = head
        return records
    }
}
