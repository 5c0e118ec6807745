/// A point on a clock that never goes back: nanoseconds since some moment, the same for the whole process.
package struct MonotonicTime: Hashable, Comparable, Sendable {
    package let nanoseconds: Int64

    /// Later than everything that happens.
    package static let distantFuture = MonotonicTime(nanoseconds: .max)

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static func < (lhs: MonotonicTime, rhs: MonotonicTime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    /// Saturates, so that no timeout from outside can overflow.
    package func advanced(by duration: Duration) -> MonotonicTime { advanced(byNanoseconds: duration.nanoseconds) }

    package func advanced(byNanoseconds delta: Int64) -> MonotonicTime {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(delta)
        return MonotonicTime(nanoseconds: overflow ? (delta > 0 ? .max : .min) : sum)
    }

    /// Negative when `other` is earlier.
    package func duration(to other: MonotonicTime) -> Duration {
        let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        return .nanoseconds(overflow ? .max : difference)
    }
}

extension Duration {
    /// Whole nanoseconds, saturating: 292 years are enough for any timeout.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds > 0 ? .max : .min }
        let (sum, overflowed) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflowed ? (seconds > 0 ? .max : .min) : sum
    }
}
