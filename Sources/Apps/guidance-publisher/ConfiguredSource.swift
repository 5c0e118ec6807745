import EnergyModel
import GridSignals
import GuidancePublishing

extension SourceSettings {
    /// What an entry says, before there is a store or a connection.
    struct Source {
        enum Origin {
            case web(any GridSource)
            case push(name: String, kind: SignalKind, currency: String?)
            case file(FileProvider)
            /// Of CEC MIDAS, by RIN: no signal, but demand-response events.
            case alerts(rin: String, endpoint: String)
        }
        let region: String
        let origin: Origin
        /// There by itself, not by an entry.
        var isAutomatic = false

        /// `nil` for alerts.
        var kind: SignalKind? {
            switch origin {
            case .web(let source): source.kind
            case .push(_, let kind, _): kind
            case .file(let provider): provider.kind
            case .alerts: nil
            }
        }

        /// As rate plans name it; `nil` for a source of carbon.
        var priceSource: PriceSource? {
            guard kind == .price else { return nil }
            switch origin {
            case .web(let source): return PriceSource(name: source.name, currency: source.currency)
            case .push(let name, _, let currency): return PriceSource(name: "push:\(name)", currency: currency)
            case .file(let provider): return PriceSource(name: provider.name, currency: nil)
            case .alerts: return nil
            }
        }
    }

    /// Those that a rate plan can name.
    static func priceSources(_ sources: [Source]) -> [PriceSource] {
        PriceSource.choices(
            sources.filter { !$0.isAutomatic }.compactMap(\.priceSource),
            automatic: sources.filter(\.isAutomatic).compactMap(\.priceSource), by: \.name)
    }
}
