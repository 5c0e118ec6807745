internal import EnergyModel
internal import EnergyTransport

// The kinds of setting. Each says in words what it allows, because that text is what a refused value is answered with.

extension ConfigurationKey where Value == String {
    /// Any text; the empty one usually means "none".
    public static func text(
        _ name: String, default defaultText: String = "", allowed: String = "any text", isSecret: Bool = false,
        help: String
    ) -> ConfigurationKey<String> {
        ConfigurationKey(name, default: defaultText, allowed: allowed, isSecret: isSecret, help: help) { $0 }
    }

    /// A ZeroMQ or HTTP endpoint.
    public static func address(_ name: String, default defaultText: String, help: String) -> ConfigurationKey<String> {
        ConfigurationKey(name, default: defaultText, allowed: Self.addressAllowed, help: help) {
            isAddress($0) ? $0 : nil
        }
    }

    fileprivate static var addressAllowed: String { "tcp://HOST:PORT or ipc:///PATH" }

    fileprivate static func isAddress(_ text: String) -> Bool {
        if text.hasPrefix("ipc://") { return text.count > 6 && text.utf8.count <= 107 + 6 }
        return TCPAddress(text)?.port != nil
    }
}

extension ConfigurationKey where Value == [String] {
    /// One or more endpoints: the replicas of a service.
    public static func addresses(_ name: String, default defaultText: String, help: String) -> ConfigurationKey<
        [String]
    > {
        let allowed =
            "one or more of tcp://HOST:PORT, srv://NAME (whatever DNS lists) or ipc:///PATH, separated by commas"
        return ConfigurationKey(name, default: defaultText, allowed: allowed, help: help) { text in
            let parts = text.split(separator: ",").map { $0.trimmingPrefix(" ") }.map(String.init)
            guard !parts.isEmpty, parts.count <= 64,
                parts.allSatisfy({ ConfigurationKey<String>.isAddress($0) || ServiceName.isOne($0) })
            else {
                return nil
            }
            return parts
        }
    }
}

extension ConfigurationKey where Value == Int {
    public static func integer(
        _ name: String, default value: Int, in range: ClosedRange<Int>, unit: String = "", help: String
    ) -> ConfigurationKey<Int> {
        let unit = unit.isEmpty ? "" : " " + unit
        return ConfigurationKey(
            name, default: "\(value)", allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)\(unit)",
            help: help
        ) { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }
    }
}

extension ConfigurationKey where Value == Double {
    public static func number(
        _ name: String, default value: Double, in range: ClosedRange<Double>, unit: String = "", help: String
    ) -> ConfigurationKey<Double> {
        let unit = unit.isEmpty ? "" : " " + unit
        return ConfigurationKey(
            name, default: "\(value)", allowed: "a number from \(range.lowerBound) to \(range.upperBound)\(unit)",
            help: help
        ) { text in Double(text).flatMap { range.contains($0) ? $0 : nil } }
    }
}

extension ConfigurationKey where Value == Bool {
    public static func flag(_ name: String, default value: Bool, help: String) -> ConfigurationKey<Bool> {
        ConfigurationKey(name, default: "\(value)", allowed: "true or false", help: help) { Bool($0) }
    }
}

extension ConfigurationKey where Value == Duration {
    /// - Parameter defaultText: as people write it, for example `15s`.
    public static func duration(
        _ name: String, default defaultText: String, from low: String, to high: String, help: String
    ) -> ConfigurationKey<Duration> {
        guard let least = Duration(text: low), let most = Duration(text: high), least <= most else {
            preconditionFailure("the range of \(name) is not two durations in order")
        }
        return ConfigurationKey(
            name, default: defaultText, allowed: "a duration from \(low) to \(high), for example 90s, 15m or PT1H30M",
            help: help
        ) { text in Duration(text: text).flatMap { (least...most).contains($0) ? $0 : nil } }
    }
}

extension ConfigurationKey where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of a few words.
    public static func choice(_ name: String, default value: Value, help: String) -> ConfigurationKey<Value> {
        let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
        return ConfigurationKey(name, default: value.rawValue, allowed: "one of \(words)", help: help) {
            Value(rawValue: $0)
        }
    }
}
