internal import EnergyModel

// The numbers that stand for the model's cases in the file. Never renumbered; what is not known reads as unknown.

extension FlowDirection {
    var code: Int64 { self == .imported ? 1 : 2 }

    init(code: Int64) { self = code == 2 ? .exported : .imported }
}

extension Cleanliness {
    private static let codes: [Cleanliness] = [.unknown, .cleaner, .lessClean, .avoid]

    var code: Int64 { Int64(Self.codes.firstIndex(of: self) ?? 0) }

    init(code: Int64) { self = Self.codes.indices.contains(Int(code)) ? Self.codes[Int(code)] : .unknown }
}

extension TariffPeak {
    private static let codes: [TariffPeak] = [.unknown, .superOffPeak, .offPeak, .partialPeak, .onPeak, .criticalPeak]

    var code: Int64 { Int64(Self.codes.firstIndex(of: self) ?? 0) }

    init(code: Int64) { self = Self.codes.indices.contains(Int(code)) ? Self.codes[Int(code)] : .unknown }
}
