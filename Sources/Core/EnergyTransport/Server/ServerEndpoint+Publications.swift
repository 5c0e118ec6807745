/// What the transport itself answers: the publications that somebody missed, or cannot subscribe to.
extension ServerEndpoint {
    /// A table may have its own answer to a fetch.
    func addPublications(to methods: inout MethodTable) {
        let mayRead = methods.mayRead
        if methods.entries[FetchRequest.method] == nil {
            methods.add(
                FetchRequest.method,
                .unary { [weak self] (body, context) async throws(CallFailure) in
                    guard let self else { throw .callerGone }
                    let request = try FetchRequest(decoding: body)
                    guard mayRead(context.principal, request.topic) else { throw .unreadable(request.topic, context) }
                    return try state.withLock { (state) throws(CallFailure) in
                        try state.publisher.fetch(request)
                    }.encoded
                })
        }
        methods.add(
            FollowRequest.method,
            .streaming { [weak self] (body, context, writer) async throws(CallFailure) in
                guard let self else { throw .callerGone }
                let prefix = try FollowRequest(decoding: body).prefix
                guard prefix.utf8.count <= PublisherEngine.topicByteCountMax else {
                    throw CallFailure(.invalidArgument, "a prefix has at most 200 bytes")
                }
                guard mayRead(context.principal, prefix) else { throw .unreadable(prefix, context) }
                try await followers.follow(
                    prefix, through: writer,
                    subscribed: { [weak self] in
                        self?.receiveSubscription(prefix)
                        self?.wake()
                    },
                    unsubscribed: { [weak self] in self?.receiveUnsubscription() })
            })
    }
}

extension CallFailure {
    fileprivate static func unreadable(_ topic: String, _ context: RequestContext) -> CallFailure {
        CallFailure(.permissionDenied, "\(context.principal.name) may not read \(topic)")
    }
}
