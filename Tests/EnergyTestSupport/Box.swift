internal import Synchronization

/// A value that several tasks may read and set.
public final class Box<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    public init(_ value: Value) { mutex = Mutex(value) }

    public var value: Value { mutex.withLock { $0 } }
    public func set(_ value: Value) { mutex.withLock { $0 = value } }
    public func update<Result: Sendable>(_ body: (inout sending Value) -> sending Result) -> Result {
        mutex.withLock { body(&$0) }
    }
}
