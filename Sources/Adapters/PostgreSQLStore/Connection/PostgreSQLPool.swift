internal import EnergyModel

/// A bounded number of connections, handed out first come, first served.
actor PostgreSQLPool {
    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<PostgreSQLConnection?, Never>
    }

    private let make: @Sendable () -> PostgreSQLConnection
    private let countMax: Int
    private let clock: ContinuousClock
    private var count = 0
    private var idle: [PostgreSQLConnection] = []
    private var waiters: [Waiter] = []
    private var lastNumber = 0
    private var isClosed = false

    init(countMax: Int, clock: ContinuousClock, make: @escaping @Sendable () -> PostgreSQLConnection) {
        (self.countMax, self.clock, self.make) = (countMax, clock, make)
    }

    /// - Throws: ``EnergyError`` `.unavailable` when none is free by the deadline, or the task is cancelled before.
    func take(until deadline: ContinuousClock.Instant) async throws(EnergyError) -> PostgreSQLConnection {
        guard !isClosed else { throw .postgreSQL("was closed") }
        // The one used last: the others may be closed by the server for having been idle.
        if let connection = idle.popLast() { return connection }
        if count < countMax {
            count += 1
            return make()
        }
        lastNumber += 1
        let number = lastNumber
        let timer = Task { [clock] in
            try await clock.sleep(until: deadline)
            self.giveUp(number)
        }
        defer { timer.cancel() }
        let connection = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<PostgreSQLConnection?, Never>) in
                // Cancelled before it waits, nobody would wake it.
                guard !Task.isCancelled else { return continuation.resume(returning: nil) }
                waiters.append(Waiter(number: number, continuation: continuation))
            }
        } onCancel: {
            Task { await self.giveUp(number) }
        }
        guard let connection else {
            throw .postgreSQL(
                Task.isCancelled
                    ? "was not asked: the request was cancelled"
                    : "was not asked: all \(countMax) connections were in use until the request's time was over")
        }
        return connection
    }

    func give(_ connection: PostgreSQLConnection) async {
        if isClosed { return await connection.close() }
        guard waiters.isEmpty else { return waiters.removeFirst().continuation.resume(returning: connection) }
        idle.append(connection)
    }

    func close() async {
        isClosed = true
        let connections = idle
        idle = []
        for waiter in waiters { waiter.continuation.resume(returning: nil) }
        waiters = []
        for connection in connections { await connection.close() }
    }

    private func giveUp(_ number: Int) {
        guard let index = waiters.firstIndex(where: { $0.number == number }) else { return }
        waiters.remove(at: index).continuation.resume(returning: nil)
    }
}
