internal import AuditFiles
internal import EnergyTransport
internal import Logging
internal import ServiceLifecycle

/// Keeps the audit log in order, and tells its head to the process's log: kept elsewhere, as in a journal, it shows whether
/// lines are missing at the end. Stops after the last request was answered.
struct AuditPart: Service {
    private static let interval = Duration.seconds(60)
    private static let intervalsPerHead = 60

    let audit: AuditLog
    let clock: any Clock<Duration>
    let logger: Logger

    func run() async throws {
        let (audit, clock, logger) = (audit, clock, logger)
        await Self.tell(audit, logger)
        try? await cancelWhenGracefulShutdown {
            while true {
                for _ in 0..<Self.intervalsPerHead {
                    try await clock.sleep(for: Self.interval)
                    await audit.tick()
                }
                await Self.tell(audit, logger)
            }
        }
        if let head = await audit.close() { Self.tell(head, logger) }
    }

    private static func tell(_ audit: AuditLog, _ logger: Logger) async {
        if let head = await audit.head { tell(head, logger) }
    }

    private static func tell(_ head: AuditHead, _ logger: Logger) {
        logger.notice("audit log", metadata: [ServiceKeys.head: "\(head)"])
    }
}
