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

    /// Asks the sources for as long as the service runs, and makes guidance anew when one has news.
    func follow(
        _ polled: [PolledProvider], _ alerts: [CECMidasAlerts], news: AsyncStream<Void>, _ publisher: GuidancePublisher
    ) {
        if !polled.isEmpty { run("sources") { await PolledProvider.run(polled) } }
        for source in alerts { run(source.name) { await source.run() } }
        run("news of sources") {
            for await _ in news {
                await publisher.refresh()
                // A refresh is of all regions: what many sources have to say within seconds is one of them.
                try await ContinuousClock().sleep(for: .seconds(10))
            }
        }
    }
}
