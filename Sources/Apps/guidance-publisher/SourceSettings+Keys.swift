import Foundation
import ServiceRuntime

extension SourceSettings {
    /// A key out of the environment or a file: settings are shown and copied, keys must not be.
    ///
    /// - Returns: and the member that said where it is.
    static func readKey(
        _ entry: inout ConfigurationEntry, _ environment: [String: String]
    ) throws(ConfigurationError) -> (text: String, member: String) {
        let variable = try entry.optional("key-variable", allowed: "the name of an environment variable") { $0 }
        let path = try entry.optional("key-file", allowed: "the path of a file that holds the key alone") { $0 }
        let text: String
        switch (variable, path) {
        case (let variable?, nil):
            guard let value = environment[variable] else {
                throw entry.refusal("key-variable", "names \(variable), which is not set")
            }
            text = value
        case (nil, let path?):
            guard let bytes = FileManager.default.contents(atPath: path), bytes.count <= 4096 else {
                throw entry.refusal("key-file", "names \(path), which cannot be read or is larger than 4 KiB")
            }
            text = String(decoding: bytes, as: UTF8.self)
        default:
            throw entry.refusal(
                "key-variable",
                variable == nil
                    ? "is missing, or key-file: one of the two" : "and key-file are both there: one of the two")
        }
        let key = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let member = variable == nil ? "key-file" : "key-variable"
        guard !key.isEmpty, key.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 }) else {
            throw entry.refusal(member, "holds no key")
        }
        return (key, member)
    }
}
