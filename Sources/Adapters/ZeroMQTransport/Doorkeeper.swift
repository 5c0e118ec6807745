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
    private let onRefusal: @Sendable (Refusal) -> Void

    init(
        _ security: ServerSecurity, context: Context, news: AdmissionNews,
        onRefusal: @escaping @Sendable (Refusal) -> Void
    ) throws(ZeroMQError) {
        socket = try AuthenticationSocket(context: context)
        self.security = security
        self.context = context
        self.news = news
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
            guard let key = question.key?.text, let principal = security.admission.principal(ofKey: key) else {
                refusedCount += 1
                onRefusal(Refusal(address: question.address, key: question.key?.text, isKnown: false))
                return nil
            }
            guard question.domain == Self.publicationDomain else { return key }
            guard maySubscribe(principal) else {
                refusedCount += 1
                onRefusal(Refusal(address: question.address, key: key, isKnown: true))
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

    /// Who sent the message whose last part this is; `nil` if they are let in no longer.
    func sender(of lastPart: borrowing Message) -> Principal? {
        lastPart.senderName.flatMap(security.admission.principal(ofKey:))
    }

    func isCurrent(_ principal: Principal) -> Bool { security.admission.isCurrent(principal) }
}

/// Tells a loop's thread that who may call has changed.
final class AdmissionNews: Sendable {
    private let flag = Atomic(false)

    func announce() { flag.store(true, ordering: .sequentiallyConsistent) }
    var isThere: Bool { flag.load(ordering: .sequentiallyConsistent) }
    func take() -> Bool { isThere && flag.exchange(false, ordering: .sequentiallyConsistent) }
}

/// Somebody who was not let in.
public struct Refusal: Hashable, Sendable {
    /// As libzmq says it: an IP address, or `localhost:uid:gid:pid`.
    public let address: String
    /// The public key that was shown, if any.
    public let key: String?
    /// Its owner may call, but not subscribe.
    public let isKnown: Bool
}
