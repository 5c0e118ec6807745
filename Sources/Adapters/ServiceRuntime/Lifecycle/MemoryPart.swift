internal import CMalloc
internal import ServiceLifecycle

/// Gives memory back to the system: what a burst has left unused, which glibc's malloc does not do by itself below the
/// top of its heap, and the code of the start.
struct MemoryPart: Service {
    /// Time for the start to be over.
    private static let firstInterval = Duration.seconds(3)
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
            try await clock.sleep(for: Self.firstInterval)
            while true {
                CodePages.giveBack()
                if cmalloc_free_bytes() > Self.freeBytesMax { cmalloc_give_back() }
                try await clock.sleep(for: Self.interval)
            }
        }
    }
}
