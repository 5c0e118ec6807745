internal import Foundation
public import ZeroMQ

/// A key pair and whose it is, in the form of CZMQ's certificates, which pyzmq and others read too.
///
/// - Source: https://rfc.zeromq.org/spec/4/ (ZPL)
public struct KeyFile: Sendable {
    public let name: String
    public let keys: CurveKeyPair

    public init(name: String, keys: CurveKeyPair) {
        self.name = name
        self.keys = keys
    }

    /// - Throws: ``KeyFileError`` naming the file, when it is no secret certificate, when other users may read it, or
    ///   when it holds a key that is printed in a manual.
    public init(path: String) throws(KeyFileError) {
        let file = try PrivateFile.read(path)
        try file.requirePrivacy()
        let entries = Self.entries(file.text)
        guard let text = entries["secret-key"], let secret = CurveKey(text) else {
            throw KeyFileError("\(path) must have a line secret-key = \"…\" with 40 characters of Z85")
        }
        let keys: CurveKeyPair
        do throws(ZeroMQError) { keys = try CurveKeyPair(secretKey: secret) } catch {
            throw KeyFileError("\(path) cannot be used: \(error.reason)")
        }
        guard entries["public-key"] ?? keys.publicKey.text == keys.publicKey.text else {
            throw KeyFileError("\(path) has a public-key that does not belong to its secret-key")
        }
        guard !keys.isPublished else {
            throw KeyFileError("\(path) holds a key from ZeroMQ's manual, which everybody has; make one of your own")
        }
        self.init(name: entries["name"] ?? "", keys: keys)
    }

    /// - Throws: also when there is such a file: a key that is overwritten locks its owner out.
    public func write(to path: String) throws(KeyFileError) {
        try PrivateFile.write(text, to: path, isNew: true)
    }

    private var text: String {
        """
        #   SECRET key of \(name). Its owner only may read this file.
        metadata
            name = "\(name)"
        curve
            public-key = "\(keys.publicKey.text)"
            secret-key = "\(keys.secretKey.text)"

        """
    }

    private static func entries(_ text: String) -> [String: String] {
        var entries: [String: String] = [:]
        for line in text.split(separator: "\n") where !line.drop(while: \.isWhitespace).hasPrefix("#") {
            // Keys may hold `=` themselves.
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = parts[1].trimmingCharacters(in: .whitespaces)
            let quotes = value.count >= 2 && value.first == value.last && (value.first == "\"" || value.first == "'")
            entries[parts[0].trimmingCharacters(in: .whitespaces)] =
                quotes ? String(value.dropFirst().dropLast()) : value
        }
        return entries
    }
}
