import EnergyModel
import EnergyWire

extension RandomValues {
    mutating func signalPush() -> SignalPush {
        let kind = one(of: SignalKind.allCases)
        let points = list(1...50) { values in
            SignalPoint(
                interval: values.interval(), value: kind == .price ? Double(values.wide()) : values.double(),
                isEstimated: values.bool())
        }
        return SignalPush(
            region: text(), source: text(),
            content: bool()
                ? .openADREvent(Array(text().utf8))
                : .values(
                    SignalValues(
                        kind: kind, currency: maybe { $0.currency() }, points: points,
                        issued: maybe { $0.timestamp() })))
    }

    mutating func sourceTest() -> SourceTest {
        let source = regionSource()
        let isPrice = source.status.kind == .price
        let newest = maybe { values in
            SignalPoint(
                interval: values.interval(), value: isPrice ? Double(values.wide()) : values.double(),
                isEstimated: values.bool())
        }
        return SourceTest(
            source: source, isAsked: bool(), newest: newest, knownUntil: maybe { $0.timestamp() },
            failure: maybe { $0.one(of: [.denied, .notFound, .unavailable, .rateLimited, .invalidInput]) })
    }

    mutating func regionSource() -> RegionSource {
        RegionSource(
            region: text(),
            status: SignalSourceStatus(
                name: text(), kind: one(of: SignalKind.allCases), currency: maybe { $0.currency() }, isInUse: bool(),
                newestValue: maybe { $0.timestamp() }, issued: maybe { $0.timestamp() },
                lastSuccess: maybe { $0.timestamp() }, lastError: maybe { $0.text() + "." },
                nextAttempt: maybe { $0.timestamp() }, clockSkewMilliseconds: maybe { $0.wide() }),
            isAutomatic: bool())
    }
}
