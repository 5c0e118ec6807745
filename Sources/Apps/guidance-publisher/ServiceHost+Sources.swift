import Foundation
import GridSignals
import GuidancePublishing
import HTTPFetcher
import ServiceRuntime

extension ServiceHost {
    /// For all sources on the web; closed with the service.
    func connectToSources(_ environment: [String: String]) throws -> AsyncHTTPFetcher {
        let http = try AsyncHTTPFetcher(
            proxies: HTTPProxies(environment: environment), wallClock: SourceSettings.networkClock)
        onClose("connections to sources") { await http.close() }
        return http
    }

    /// Makes guidance while the service leads, and does what the one that leads has done while it follows.
    func run(
        _ publisher: GuidancePublisher, _ polled: [PolledProvider], _ alerts: [CECMidasAlerts], news: AsyncStream<Void>
    ) async throws {
        let lead = { @Sendable () async throws in
            // All at once: the first guidance waits for each source's first answer.
            for provider in polled { Task { await provider.poll() } }
            for source in alerts { Task { await source.poll() } }
            try await publisher.start()
        }
        if leads {
            // Before the first request, so that "ready" means that guidance is answered.
            try await lead()
            run("guidance") { try await publisher.run() }
        } else {
            run("following") { await publisher.follow() }
            runLeading("guidance") {
                try await lead()
                try await publisher.run()
            }
        }
        follow(polled, alerts, news: news, publisher)
    }

    /// Asks the sources for as long as the service leads, and makes guidance anew when one has news.
    private func follow(
        _ polled: [PolledProvider], _ alerts: [CECMidasAlerts], news: AsyncStream<Void>, _ publisher: GuidancePublisher
    ) {
        if !polled.isEmpty { runLeading("sources") { await PolledProvider.run(polled) } }
        for source in alerts { runLeading(source.name) { await source.run() } }
        runLeading("news of sources") {
            for await _ in news {
                await publisher.refresh()
                // A refresh is of all regions: what many sources have to say within seconds is one of them.
                try await ContinuousClock().sleep(for: .seconds(10))
            }
        }
    }
}
