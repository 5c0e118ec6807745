internal import CMalloc
internal import ServiceLifecycle

/// Gives memory that a burst has left unused back to the system, which glibc's malloc does not do by itself below the
/// top of its heap.
struct MemoryPart: Service {
    private static let interval = Duration.seconds(30)
    /// Giving back less is not worth the page faults that fetch it again.
    private static let freeBytesMax = 1024 * 1024

    let clock: any Clock<Duration>

    /// To be called before threads are started: each may get a heap of its own otherwise.
    static func configure() { cmalloc_configure() }

    func run() async throws {
        let clock = clock
        // Ends only by being told to stop.
        try? await cancelWhenGracefulShutdown {
            while true {
                try await clock.sleep(for: Self.interval)
                if cmalloc_free_bytes() > Self.freeBytesMax { cmalloc_give_back() }
            }
        }
    }
}
