internal import EnergyTransport
internal import Synchronization
internal import ZeroMQ

/// Lets connections in, and tells who sent a message. On the server's loop thread.
///
/// A connection stays open when its key is revoked (libzmq 4.3.4 cannot close one), so every message is asked about anew.
final class Doorkeeper {
    private static let requestDomain = "requests"
    private static let publicationDomain = "publications"

    let socket: AuthenticationSocket
    private let context: Context
    private let news: AdmissionNews
    private let security: ServerSecurity
    /// Keys that have come in at the publications' socket since it was bound.
    private var subscribers: Set<String> = []
    /// Keys that subscribed to too much, until when they are kept from the publications.
    private var barred: [String: Int64] = [:]
    private static let barNanoseconds: Int64 = 60_000_000_000
    private let onRefusal: @Sendable (Refusal) -> Void
    /// Of the ``StrangerTest``, whose refusal is nothing to be told.
    private let strangerKey: CurveKey

    init(
        _ security: ServerSecurity, context: Context, news: AdmissionNews, strangerKey: CurveKey,
        onRefusal: @escaping @Sendable (Refusal) -> Void
    ) throws(ZeroMQError) {
        socket = try AuthenticationSocket(context: context)
        self.security = security
        self.context = context
        self.news = news
        self.strangerKey = strangerKey
        self.onRefusal = onRefusal
    }

    func bindRequests(_ address: String) throws(CallFailure) -> BoundSocket {
        try BoundSocket(.router, address, context: context, hasKeys: true) { (socket) throws(ZeroMQError) in
            try SocketSettings.applyRouter(to: socket)
            try socket.demandKeys(security.keys, domain: Self.requestDomain)
        }
    }

    func bindPublications(_ address: String) throws(CallFailure) -> BoundSocket {
        try BoundSocket(.xpub, address, context: context, hasKeys: true) { (socket) throws(ZeroMQError) in
            try SocketSettings.applyPublisher(to: socket)
            try socket.demandKeys(security.keys, domain: Self.publicationDomain)
        }
    }

    var hasNews: Bool { news.isThere }
    func takeNews() -> Bool { news.take() }

    /// - Returns: how many were refused.
    func answer() -> Int {
        var refusedCount = 0
        socket.answer { question in
            guard question.key != strangerKey else { return nil }
            guard let key = question.key?.text, let principal = security.admission.principal(ofKey: key) else {
                refusedCount += 1
                onRefusal(Refusal(.unknownKey, address: question.address, key: question.key?.text))
                return nil
            }
            guard question.domain == Self.publicationDomain else { return key }
            guard maySubscribe(principal), !isBarred(key) else {
                refusedCount += 1
                let reason: Refusal.Reason = maySubscribe(principal) ? .tooManySubscriptions : .notSubscriber
                onRefusal(Refusal(reason, address: question.address, key: key, name: principal.name))
                return nil
            }
            subscribers.insert(key)
            return key
        }
        return refusedCount
    }

    /// Whether some subscriber that was let in may be there no longer. Once: they are to be shown out.
    func takeOutdatedSubscribers() -> Bool {
        let isOutdated = subscribers.contains { key in
            !(security.admission.principal(ofKey: key).map(maySubscribe) ?? false)
        }
        if isOutdated { subscribers = [] }
        return isOutdated
    }

    private func maySubscribe(_ principal: Principal) -> Bool {
        principal.has(security.subscription) && principal.venues == nil
    }

    /// Keeps the key's owner from subscribing for a minute.
    func bar(_ key: String) {
        barred = barred.filter { $0.value > monotonicNanoseconds() }
        barred[key] = monotonicNanoseconds() + Self.barNanoseconds
    }

    private func isBarred(_ key: String) -> Bool { barred[key].map { $0 > monotonicNanoseconds() } ?? false }

    /// Who sent the message whose last part this is; `nil` if they are let in no longer.
    func sender(of lastPart: borrowing Message) -> Principal? {
        lastPart.senderName.flatMap(security.admission.principal(ofKey:))
    }

    func name(ofKey key: String) -> String? { security.admission.principal(ofKey: key)?.name }

    func isCurrent(_ principal: Principal) -> Bool { security.admission.isCurrent(principal) }
}

/// Tells a loop's thread that who may call has changed.
final class AdmissionNews: Sendable {
    private let flag = Atomic(false)

    func announce() { flag.store(true, ordering: .sequentiallyConsistent) }
    var isThere: Bool { flag.load(ordering: .sequentiallyConsistent) }
    func take() -> Bool { isThere && flag.exchange(false, ordering: .sequentiallyConsistent) }
}
