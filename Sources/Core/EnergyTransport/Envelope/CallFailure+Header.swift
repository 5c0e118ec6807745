extension CallFailure {
    /// What a terminal frame says; `nil` for OK. A code that we do not know is ``StatusCode/unknown``.
    init?(_ header: Header) {
        guard header.status != 0 else { return nil }
        let retryAfter: Duration? =
            header.retryAfterMilliseconds == 0
            ? nil : .milliseconds(Int64(clamping: min(header.retryAfterMilliseconds, 86_400_000)))
        self.init(
            StatusCode(rawValue: header.status) ?? .unknown, header.message, retryAfter: retryAfter,
            details: header.details)
        isForAnother = code == .unavailable && header.asksAnother
    }
}

extension Header {
    /// A terminal frame that says how the call failed, inside the header's limits.
    package init(_ kind: FrameKind, callID: UInt64, failure: CallFailure) {
        self.init(kind, callID: callID)
        // A handler that fails with `.ok` made a mistake; the caller must not take it for a success.
        status = failure.code == .ok ? StatusCode.unknown.rawValue : failure.code.rawValue
        message = failure.message.prefix(utf8: Self.messageByteCountMax)
        if let wait = failure.retryAfter, wait > .zero {
            retryAfterMilliseconds = UInt64(clamping: max(1, wait.nanoseconds / 1_000_000))
        }
        asksAnother = failure.isForAnother
        // Half of an encoded message is no message: too much detail is none.
        if failure.details.count <= Self.detailsByteCountMax { details = failure.details }
    }
}

extension String {
    /// The longest beginning of at most `byteCountMax` UTF-8 bytes that splits no character.
    func prefix(utf8 byteCountMax: Int) -> String {
        guard utf8.count > byteCountMax else { return self }
        var end = startIndex
        while true {
            let next = index(after: end)
            if utf8.distance(from: startIndex, to: next) > byteCountMax { return String(self[..<end]) }
            end = next
        }
    }
}
