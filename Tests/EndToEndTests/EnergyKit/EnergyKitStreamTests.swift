import EnergyKit
import EnergyModel
import EnergyTransport
import EnergyWire
import Testing

extension EndToEnd {
    struct EnergyKitStreams {
        @Test(.timeLimit(.minutes(1)))
        func `a stream survives its publisher, and says what is new`() async throws {
            try await Installation.with(.ipc) { installation in
                let home = try await Household.move(into: installation)
                try await EnergyKitConfiguration(endpoints: installation.endpoints).use {
                    let query = ElectricityGuidance.Query(suggestedAction: .reduce)
                    var updates = ElectricityGuidance.sharedService.guidance(using: query, at: home.venue.id)
                        .makeAsyncIterator()
                    let first = try #require(try await updates.next())
                    #expect(first.options.isEmpty)
                    try await installation.kill(.guidance)
                    try await installation.start(.guidance)
                    try await home.signContract(homeID: UUID())
                    var news = first
                    while news.options.isEmpty { news = try #require(try await updates.next()) }
                    #expect(news.guidanceToken != first.guidanceToken)
                }
            }
        }

        /// What this process holds.
        private struct Holdings: CustomStringConvertible {
            let threads: Int
            let descriptors: Int
            let residentKibibytes: Int

            static var now: Holdings {
                get throws {
                    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
                    func number(_ name: String) -> Int {
                        let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
                        return Int(line.filter(\.isNumber)) ?? 0
                    }
                    let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                    return Holdings(
                        threads: number("Threads:"), descriptors: files.count, residentKibibytes: number("VmRSS:"))
                }
            }

            var description: String {
                "\(threads) threads, \(descriptors) descriptors, \(residentKibibytes) KiB resident"
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func `10,000 streams opened and dropped leave nothing behind`() async throws {
            try await Installation.with(.ipc) { installation in
                let home = try await Household.move(into: installation)
                try await EnergyKitConfiguration(endpoints: installation.endpoints).use {
                    let venueID = home.venue.id
                    let query = ElectricityGuidance.Query(suggestedAction: .shift)
                    func open(_ count: Int) async throws {
                        try await withThrowingTaskGroup(of: Void.self) { group in
                            for number in 0..<count {
                                if number >= 16 { try await group.next() }
                                group.addTask {
                                    let stream = ElectricityGuidance.sharedService.guidance(using: query, at: venueID)
                                    // Some end by themselves, some are cancelled, some are dropped before a value.
                                    switch number % 3 {
                                    case 0: for try await _ in stream { break }
                                    case 1:
                                        let task = Task { for try await _ in stream {} }
                                        task.cancel()
                                        try await task.value
                                    default: _ = stream.makeAsyncIterator()
                                    }
                                }
                            }
                            try await group.waitForAll()
                        }
                    }
                    try await open(1_000)
                    let before = try Holdings.now
                    try await open(5_000)
                    let middle = try Holdings.now
                    try await open(5_000)
                    let after = try Holdings.now
                    print("after 1,000 streams: \(before)\nafter 6,000 streams: \(middle)\nafter 11,000: \(after)")
                    #expect(after.threads <= before.threads)
                    #expect(after.descriptors <= before.descriptors)
                    // The allocator keeps some; a leak of 256 bytes per stream would be 1,250.
                    #expect(after.residentKibibytes - middle.residentKibibytes < 1_000)
                }
            }
        }
    }
}
