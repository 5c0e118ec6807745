internal import CQREncode

/// Text as a QR code, by libqrencode.
///
/// - Source: ISO/IEC 18004; https://fukuchi.org/works/qrencode/
public struct QRCode: Hashable, Sendable {
    /// Of UTF-8, at the lowest level of error correction, which is enough on a screen.
    public static let bytesMax = 2_953
    /// Empty modules around the code, which readers need.
    public static let quietZone = 4

    /// Modules a side, without the quiet zone: 21 to 177.
    public let size: Int
    /// Row by row; `true` is dark.
    private let modules: [Bool]

    /// - Returns: `nil` for a text that is empty or too long.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard 1...Self.bytesMax ~= bytes.count,
            let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_L)
        else { return nil }
        defer { QRcode_free(code) }
        size = Int(code.pointee.width)
        // The lowest bit says whether a module is dark; the others are of no use to us.
        modules = (0..<size * size).map { code.pointee.data[$0] & 1 == 1 }
    }

    /// A file whose lines with `#` are for people only, and would make the code larger.
    public init?(withoutComments file: String) {
        self.init(file.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0 + "\n" }.joined())
    }

    /// Whether a module is dark; those of the quiet zone and beyond are not.
    public func isDark(row: Int, column: Int) -> Bool {
        guard 0..<size ~= row, 0..<size ~= column else { return false }
        return modules[row * size + column]
    }
}
