internal import AuditFiles
internal import EnergyModel
internal import EnergyTransport
internal import KeyFiles
internal import Logging
internal import ServiceLifecycle

// The parts of a running process, in the order in which they are handed to the group. It stops them from the last to
// the first, each after the one behind it has ended: say that we go, answer what is in flight, stop the loops, close.

/// Stops last: closes the endpoint, the connections and then what the main asked for.
struct ClosingPart: Service {
    let endpoint: (any ServiceEndpoint)?
    let connections: [any ServiceConnection]
    let closings: [ServiceHost.Closing]
    let logger: Logger

    func run() async throws {
        try? await gracefulShutdown()
        await close()
    }

    func close() async {
        for connection in connections { await connection.close() }
        await endpoint?.close()
        for closing in closings {
            do { try await closing.body() } catch {
                let reason = (error as? EnergyError)?.message ?? "\(error)"
                logger.error(
                    "could not close", metadata: [ServiceKeys.loop: "\(closing.name)", ServiceKeys.reason: "\(reason)"])
            }
        }
    }
}

/// Runs one loop of the main.
struct LoopPart: Service {
    let loop: ServiceHost.Loop
    let logger: Logger

    func run() async throws {
        let loop = loop
        do {
            try await cancelWhenGracefulShutdown { try await loop.body() }
        } catch {
            // A loop answers its cancellation with whatever error it happens to see first.
            guard Task.isShuttingDownGracefully || Task.isCancelled else {
                throw StartError("\(loop.name) failed: \((error as? EnergyError)?.message ?? "\(error)")")
            }
            return
        }
        guard Task.isShuttingDownGracefully || Task.isCancelled else { throw StartError("\(loop.name) ended") }
    }
}

/// Answers requests until the process stops, then finishes those in flight.
struct ServingPart: Service {
    let endpoint: any ServiceEndpoint
    let drainTimeout: Duration

    func run() async throws {
        try? await gracefulShutdown()
        await endpoint.drain(within: drainTimeout)
    }
}

/// Follows `access.yaml`: who loses a permission there loses it here within a second.
struct AccessPart: Service {
    private static let interval = Duration.milliseconds(500)

    let access: AccessFile
    let endpoint: any ServiceEndpoint
    let audit: AuditLog?
    let known: KnownAccess
    let clock: any Clock<Duration>
    let logger: Logger

    func run() async throws {
        let (access, endpoint, audit, known, clock, logger) = (access, endpoint, audit, known, clock, logger)
        try? await cancelWhenGracefulShutdown {
            while true {
                try await clock.sleep(for: Self.interval)
                do throws(KeyFileError) {
                    guard let change = try access.refresh() else { continue }
                    endpoint.admissionChanged()
                    await audit?.note(.accessChanged, change.details)
                    known.keep(access.list)
                    logger.notice("access has changed", metadata: [ServiceKeys.file: "\(access.path)"])
                } catch {
                    logger.error("access stays as it was", metadata: [ServiceKeys.reason: "\(error)"])
                    await audit?.note(.accessStays, ["reason": "\(error)"])
                }
            }
        }
    }
}

/// Tells the world when the process serves and when it no longer does. Stops first.
struct ReadinessPart: Service {
    let health: HealthRegistry
    let notify: NotifySocket?
    let clock: any Clock<Duration>
    let awaited: [@Sendable () async -> Void]
    let whenReady: @Sendable () async -> Void

    func run() async throws {
        for body in awaited { await cancelWhenGracefulShutdown { await body() } }
        if !Task.isShuttingDownGracefully {
            health.started()
            notify?.ready()
            await whenReady()
        }
        let (notify, clock) = (notify, clock)
        try? await cancelWhenGracefulShutdown {
            guard let notify, let interval = notify.watchdogInterval else {
                try await gracefulShutdown()
                return
            }
            while true {
                notify.alive()
                try await clock.sleep(for: interval)
            }
        }
        health.stop("is stopping")
        notify?.stopping()
    }
}
