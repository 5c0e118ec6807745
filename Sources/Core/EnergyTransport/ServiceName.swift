/// The name of a service in DNS, as addresses write it: `srv://_gt-guidance._tcp.example.org`.
public enum ServiceName {
    private static let scheme = "srv://"

    /// - Returns: the name; `nil` for anything else.
    public static func of(_ address: String) -> String? {
        guard address.hasPrefix(scheme) else { return nil }
        let name = address.dropFirst(scheme.count)
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isName =
            labels.count >= 3 && name.utf8.count <= 253 && labels.allSatisfy { 1...63 ~= $0.utf8.count }
            && labels.prefix(2).allSatisfy { $0.hasPrefix("_") }
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
        return isName ? String(name) : nil
    }

    public static func isOne(_ address: String) -> Bool { of(address) != nil }
}
