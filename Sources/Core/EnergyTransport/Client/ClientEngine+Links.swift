extension ClientEngine {
    private static let takenMax = 10_000

    package mutating func linkUp(_ index: Int, at now: MonotonicTime) {
        guard !links[index].isUp else { return }
        statistics.connections += 1
        links[index] = Link(isUp: true)
        dispatchWaiting(at: now)
    }

    /// The other side does not let this client in. It is tried again: its owner may change that.
    package mutating func linkRefused(_ index: Int, _ refusal: LinkRefusal) {
        links[index].refusal = .notAdmitted(refusal)
    }

    /// The connection broke: what was sent on it may or may not have been carried out.
    package mutating func linkDown(_ index: Int, at now: MonotonicTime) {
        guard links[index].isUp else { return }
        statistics.connectionsLost += 1
        links[index] = Link()
        isAloneSince = now
        wake(at: now.advanced(by: limits.connectionPatience))
        loseCalls(of: index, CallFailure(.unavailable, "the connection to the service was lost"), at: now)
        dispatchWaiting(at: now)
    }

    /// Every call in flight on the link is tried again if it may be, and fails otherwise.
    private mutating func loseCalls(of index: Int, _ failure: CallFailure, at now: MonotonicTime) {
        let lost = calls.filter { (_, call) in
            if case .inFlight(index) = call.phase { true } else { false }
        }
        for token in lost.keys.sorted() { retryOrFail(token, failure, at: now) }
        links[index].callCount = 0
        links[index].nextPing = .distantFuture
        outgoing.removeAll { $0.link == index }
    }

    /// The call's link does not count it any more when this is called, or is about to forget its count.
    mutating func retryOrFail(_ token: CallToken, _ failure: CallFailure, at now: MonotonicTime) {
        guard var call = calls[token] else { return }
        // Of a stream nobody may get the beginning twice.
        let isUnanswered = !call.isStream || streams[token]?.nextSequence == 0
        guard isUnanswered, call.options.isIdempotent, call.attempt + 1 < limits.attemptsMax else {
            end(token, .failure(failure))
            return
        }
        let wait = backoff(afterAttempt: call.attempt)
        guard now.advanced(by: wait) < call.deadline else {
            end(token, .failure(failure))
            return
        }
        statistics.callsRetried += 1
        call.attempt += 1
        call.phase = .backingOff(until: now.advanced(by: wait))
        calls[token] = call
        wake(at: now.advanced(by: wait))
    }

    /// Nothing of it was begun: it is not another attempt, and need not be idempotent.
    mutating func passOn(
        _ token: CallToken, _ call: Call, _ failure: CallFailure, from link: Int, at now: MonotonicTime
    ) {
        let until = now.advanced(by: failure.retryAfter ?? limits.backoffMax)
        links[link].declined[call.matter] = (until, failure)
        links[link].taken.remove(call.matter)
        wake(at: until)
        let since = call.declined ?? now
        calls[token]?.declined = since
        calls[token]?.phase = .waiting(since: since)
        waiting.append(token)
        wake(at: since.advanced(by: limits.replicaPatience))
    }

    /// The next call of that kind need not find out anew who takes it.
    mutating func noteTaken(_ call: Call, by link: Int) {
        guard call.declined != nil else { return }
        // Forgotten rather than kept without bound: found out anew with one call more.
        if links[link].taken.count >= Self.takenMax { links[link].taken = [] }
        links[link].taken.insert(call.matter)
    }

    /// Doubles with each attempt, up to a maximum, and differs by up to a fifth between callers, so that they do not
    /// all come back at once.
    ///
    /// - Source: gRPC proposal A6, https://github.com/grpc/proposal/blob/master/A6-client-retries.md
    private mutating func backoff(afterAttempt attempt: UInt32) -> Duration {
        let doubled = limits.backoffInitial * (1 << Int(min(attempt, 16)))
        return min(doubled, limits.backoffMax) * Double.random(in: 0.8...1.2, using: &random)
    }

    /// Runs what is due.
    ///
    /// - Returns: when to come again.
    package mutating func tick(at now: MonotonicTime) -> MonotonicTime {
        guard now >= nextTimer else { return nextTimer }
        nextTimer = .distantFuture
        for index in links.indices { tickLink(index, at: now) }
        var due: [(token: CallToken, failure: CallFailure?)] = []
        for (token, call) in calls {
            if call.deadline <= now {
                noteSilence(of: call, at: now)
                due.append((token, hasNobody(call) ? absence(of: call) : .deadlineExceeded))
                continue
            }
            wake(at: call.deadline)
            switch call.phase {
            case .inFlight: break
            case .backingOff(let until):
                if until <= now { due.append((token, nil)) } else { wake(at: until) }
            case .waiting(let since):
                guard hasNobody(call) else { continue }
                let end = max(since, isAloneSince).advanced(by: patience(for: call))
                if end <= now { due.append((token, absence(of: call))) } else { wake(at: end) }
            }
        }
        for (token, failure) in due.sorted(by: { $0.token < $1.token }) {
            if let failure {
                abandon(token, failure)
            } else {
                calls[token]?.phase = .waiting(since: now)
                waiting.append(token)
            }
        }
        dispatchWaiting(at: now)
        return nextTimer
    }

    /// A call may end before its link counts as silent: the next one should not have to find out anew.
    private mutating func noteSilence(of call: Call, at now: MonotonicTime) {
        guard case .inFlight(let link) = call.phase else { return }
        // A ping was not answered for a whole interval.
        if links[link].lastHeard.advanced(by: limits.pingInterval * 2) <= now { links[link].isSilent = true }
    }

    /// Whether it waits and there is nobody to send it to. What was tried before keeps trying until its deadline, unless that
    /// is one for a long answer.
    private func hasNobody(_ call: Call) -> Bool {
        guard case .waiting = call.phase, call.attempt == 0 || call.isStream else { return false }
        if let pinned = call.pinnedLink { return !links[pinned].isUp }
        return !links.contains { isOpen($0, to: call) }
    }

    /// How long that may be so. Who is refused by one replica hears it soon, though another may be taking over.
    private func patience(for call: Call) -> Duration {
        let mayBeTakenOver = hasReplicas && call.pinnedLink == nil && refusal(of: call) == nil
        return mayBeTakenOver ? limits.replicaPatience : limits.connectionPatience
    }

    private func refusal(of call: Call) -> CallFailure? {
        if let pinned = call.pinnedLink { return links[pinned].refusal }
        return links.lazy.compactMap(\.refusal).first
    }

    /// What is said of a call that nobody takes.
    private func absence(of call: Call) -> CallFailure {
        refusal(of: call) ?? links.lazy.compactMap { $0.declined[call.matter]?.failure }.first ?? .noConnection
    }

    /// Asks a server whether it is there while it owes us answers.
    private mutating func tickLink(_ index: Int, at now: MonotonicTime) {
        for (matter, (until, _)) in links[index].declined {
            if until <= now { links[index].declined[matter] = nil } else { wake(at: until) }
        }
        let link = links[index]
        guard link.isUp, link.callCount > 0 else { return }
        if link.lastHeard.advanced(by: limits.pingInterval * 3) <= now {
            links[index].isSilent = true
            loseCalls(of: index, CallFailure(.unavailable, "the service does not answer"), at: now)
            return
        }
        if link.nextPing <= now {
            send(Header(.ping), to: index)
            links[index].nextPing = now.advanced(by: limits.pingInterval)
        }
        wake(at: links[index].nextPing)
    }
}

extension CallFailure {
    static func notAdmitted(_ refusal: LinkRefusal) -> CallFailure {
        let reason =
            switch refusal {
            case .unknownKey:
                "its key is not known there, or was revoked (energyctl keys list, where the keys are, says who is let in)"
            case .noKeys: "the service demands a key, and the client has none (energyctl keys client NAME makes a file)"
            case .otherService:
                """
                what answers has none of the keys that the client expects there. The service's key was changed since the \
                client's file was written (energyctl keys bundle NAME writes it anew; energyctl keys server SERVICE shows \
                today's keys), or this is the address of another service, or of one that demands no keys
                """
            }
        return CallFailure(.unauthenticated, "the service does not admit this client: \(reason)")
    }
}
