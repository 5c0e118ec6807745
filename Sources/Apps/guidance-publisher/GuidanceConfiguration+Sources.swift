import EnergyModel
import EnergyStore
import EnergyWire
import GridSignals
import GuidancePublishing

extension GuidanceConfiguration {
    /// Puts the sources before those that are there, and reads OpenADR events for those that are pushed to.
    ///
    /// - Parameters:
    ///   - connect: called once, if a source is on the web.
    ///   - onChange: called when a source on the web has something new.
    /// - Returns: those on the web, which want to be run, and alerts likewise; of the automatic ones those that are needed.
    mutating func add(
        _ sources: [SourceSettings.Source], store: any GuidanceStore, wallClock: any WallClock,
        connect: () throws -> any HTTPFetching, onChange: @escaping @Sendable () -> Void
    ) throws -> (polled: [PolledProvider], automatic: [PolledProvider], alerts: [CECMidasAlerts]) {
        readOpenADR = { (bytes, kind, currency) throws(EnergyError) in
            let event = try OpenADREvent(bytes)
            return SignalValues(
                kind: kind, currency: currency, points: try event.points(of: kind, currency: currency),
                issued: event.issued)
        }
        var added: [String: [any SignalProvider]] = [:]
        var polled: [PolledProvider] = []
        var automatic: [String: PolledProvider] = [:]
        var alerts: [CECMidasAlerts] = []
        var http: (any HTTPFetching)?
        for source in sources {
            let provider: any SignalProvider
            switch source.origin {
            case .web(let grid):
                let connection = try http ?? connect()
                http = connection
                let made =
                    automatic[grid.name]
                    ?? PolledProvider(
                        grid, http: connection, store: store, wallClock: wallClock, onChange: onChange)
                guard !source.isAutomatic else {
                    // Regions of one country share its sources.
                    automatic[grid.name] = made
                    automaticProviders[source.region, default: []].append(made)
                    continue
                }
                polled.append(made)
                provider = made
            case .push(let name, let kind, let currency):
                provider = PushedProvider(
                    source: name, region: source.region, kind: kind, currency: currency, store: store,
                    wallClock: wallClock)
            case .file(let file): provider = file
            case .alerts(let rin, let endpoint):
                let connection = try http ?? connect()
                http = connection
                alerts.append(
                    try CECMidasAlerts(
                        rin, region: source.region, http: connection, wallClock: wallClock, endpoint: endpoint,
                        onChange: onChange))
                continue
            }
            added[source.region, default: []].append(provider)
        }
        providers.merge(added) { present, added in added + present }
        demandResponseSources += alerts
        return (polled, Array(automatic.values), alerts)
    }
}
