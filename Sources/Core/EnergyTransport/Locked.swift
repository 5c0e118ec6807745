internal import Glibc

/// A value that one thread at a time may use.
///
/// Not `Synchronization.Mutex`: on Linux that is a futex inside the standard library, which ThreadSanitizer cannot see,
/// so every access it guards is reported as a race (Swift 6.3). A pthread mutex costs the same and can be checked.
package final class Locked<Value>: @unchecked Sendable {  // the mutex guards the value
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    package init(_ value: sending Value) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Not to be called from inside `body`.
    @inline(__always)
    package func withLock<Result, Failure>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
